GAME = "cartolan"
WANTED = "x"
NEWS = False
OFFERED = {}
def fill(module): pass
def player_in(bot): return None
