/* A bot that plays every game at random. Standard C only.
 *
 *     cc -O2 -o random_bot random_bot.c
 *     meeple check-bot ./random_bot
 *
 * A line is one JSON object. Nothing here builds a tree: it looks for the few values that it needs.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the string that begins at the quote `at`. */
static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* The end of the value that begins at `at`. */
static const char *skip_value(const char *at) {
    int depth = 0;
    while (*at) {
        if (*at == '"') {
            at = skip_string(at);
            if (depth == 0) return at;
            continue;
        }
        if (*at == '[' || *at == '{') depth++;
        else if (*at == ']' || *at == '}') {
            if (depth == 0) return at;
            if (--depth == 0) return at + 1;
        } else if (*at == ',' && depth == 0) return at;
        at++;
    }
    return at;
}

/* The value of a key of the object that begins at `object`; NULL if it has none. */
static const char *field(const char *object, const char *key) {
    size_t length = strlen(key);
    const char *at = object + 1;
    while (*at == '"') {
        const char *name = at + 1, *colon = skip_string(at);
        while (*colon == ' ' || *colon == ':') colon++;
        if (strncmp(name, key, length) == 0 && name[length] == '"') return colon;
        at = skip_value(colon);
        while (*at == ',' || *at == ' ') at++;
    }
    return NULL;
}

static long number(const char *object, const char *key) {
    const char *value = field(object, key);
    return value ? strtol(value, NULL, 10) : 0;
}

/* Number of elements of the list that begins at `list`. */
static long count(const char *list) {
    long elements = 0;
    const char *at = list + 1;
    while (*at && *at != ']') {
        at = skip_value(at);
        elements++;
        while (*at == ',' || *at == ' ') at++;
    }
    return elements;
}

/* xorshift32: the same seed plays the same game. */
static uint32_t state = 1;

static uint32_t below(uint32_t bound) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % bound;
}

/* game17: sends every piece of every own square in a random direction. */
static void random_turn(const char *obs) {
    static const char ways[] = "nsew";
    long size = number(obs, "size"), me = number(obs, "to_move");
    char *owners = (char *)field(obs, "owners") + 1, *numbers = (char *)field(obs, "numbers") + 1;
    const char *comma = "";
    printf("\"m\":[");
    for (long square = 0; square < size * size; square++) {
        long owner = strtol(owners, &owners, 10), pieces = strtol(numbers, &numbers, 10);
        owners++;
        numbers++;
        if (owner != me) continue;
        long going[4] = {0};
        while (pieces-- > 0) going[below(4)]++;
        for (int way = 0; way < 4; way++) {
            if (!going[way]) continue;
            printf("%s[%ld,%ld,\"%c\",%ld]", comma, square / size, square % size, ways[way], going[way]);
            comma = ",";
        }
    }
    printf("]");
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        const char *kind = field(line, "t");
        if (!kind) continue;
        if (strncmp(kind, "\"hello\"", 7) == 0) {
            printf("{\"t\":\"hello\",\"v\":1,\"name\":\"random\",\"repeatable\":true}\n");
        } else if (strncmp(kind, "\"start\"", 7) == 0) {
            char seed[9] = {0};
            memcpy(seed, field(line, "seed") + 1, 8);
            state = (uint32_t)strtoul(seed, NULL, 16);
            if (state == 0) state = 1;
            printf("{\"t\":\"ready\",\"g\":%ld}\n", number(line, "g"));
        } else if (strncmp(kind, "\"turn\"", 6) == 0) {
            const char *legal = field(line, "legal");
            printf("{\"t\":\"move\",\"g\":%ld,\"n\":%ld,", number(line, "g"), number(line, "n"));
            if (*legal == '[')
                printf("\"a\":%u", below((uint32_t)count(legal)));
            else if (strncmp(field(legal, "spec"), "\"game17/moves\"", 14) == 0)
                random_turn(field(line, "obs"));
            else
                printf("\"error\":\"this bot does not know that form of moves\"");
            printf("}\n");
        } else if (strncmp(kind, "\"bye\"", 5) == 0) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
