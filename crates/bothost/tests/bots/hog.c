/* A bot that takes as much as it can, as fast as it can, at its first turn.
 *
 * The name of the program says what it takes: RESOURCE-PROCESSES, or RESOURCE-PROCESSES-slow. RESOURCE is "memory",
 * "scratch" or "processes". Each MiB, or process, is told by one 'x' on stderr after it was taken, so that a host can
 * count what a bot had when it was ended. With "slow" each look at the bot takes long: it holds many open files and
 * many memory mappings. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MIB = 1 << 20, FILE_MIB = 15, MAPPINGS = 60000, OPEN_FILES = 200, FEW = 4 };

static char block[MIB];

static void tell(void) {
    if (write(2, "x", 1) != 1) _exit(1);
}

static void take_memory(void) {
    for (;;) {
        char *taken = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (taken == MAP_FAILED) pause();
        memset(taken, 1, MIB);
        tell();
    }
}

static void take_scratch(int process) {
    for (int number = 0;; number++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%d-%d", getenv("TMPDIR"), process, number);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        if (file < 0) _exit(3);
        for (int mib = 0; mib < FILE_MIB; mib++) {
            if (write(file, block, MIB) != MIB) _exit(3);
            tell();
        }
        close(file);
    }
}

static void take_processes(void) {
    for (;;) {
        int child = fork();
        if (child == 0) pause();
        if (child < 0) _exit(3);
        tell();
    }
}

/* Neighbours with different rights are not merged into one mapping. */
static void slow_down(int processes) {
    int mappings = processes > FEW ? MAPPINGS / processes : MAPPINGS;
    for (int number = 0; number < mappings; number++)
        mmap(NULL, 4096, number % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int number = 0; number < OPEN_FILES; number++) (void)!dup(0);
}

static void attack(const char *resource, int processes) {
    int gate[2], own = 0;
    if (pipe(gate) != 0) _exit(1);
    for (int number = 1; number < processes; number++) {
        int child = fork();
        if (child < 0) break;
        if (child == 0) {
            char byte;
            own = number;
            close(gate[1]);
            /* All begin at once, when the gate is closed. */
            (void)!read(gate[0], &byte, 1);
            break;
        }
    }
    close(gate[own == 0 ? 1 : 0]);
    if (!strcmp(resource, "memory")) take_memory();
    if (!strcmp(resource, "scratch")) take_scratch(own);
    take_processes();
}

static long field(const char *line, const char *name) {
    const char *found = strstr(line, name);
    return found ? atol(found + strlen(name)) : 0;
}

int main(int count, char **words) {
    const char *name = strrchr(words[0], '/');
    char resource[16];
    int processes = 0;
    name = name ? name + 1 : words[0];
    if (count < 1 || sscanf(name, "%15[a-z]-%d", resource, &processes) != 2) return 2;
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"t\":\"hello\"")) {
            puts("{\"t\":\"hello\",\"v\":1}");
        } else if (strstr(line, "\"t\":\"start\"")) {
            if (strstr(name, "-slow")) slow_down(processes);
            printf("{\"t\":\"ready\",\"g\":%ld}\n", field(line, "\"g\":"));
        } else if (strstr(line, "\"t\":\"turn\"")) {
            attack(resource, processes);
        } else if (strstr(line, "\"t\":\"bye\"")) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
