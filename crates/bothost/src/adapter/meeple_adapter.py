# adapter
