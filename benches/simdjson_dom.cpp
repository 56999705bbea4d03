// Benches, simdjson in its own language: the DOM parser, as a native program.
//
// In: a file on the command line, holding one JSON document; then on the standard input, a line for each turn: how many parses.
// Out: first the name of the kernel and the document's number of objects, then for each turn the nanoseconds of its own time.
// A process that waits for its turn can be measured among others, round by round.
//
//     c++ -O3 -std=c++17 simdjson_dom.cpp -lsimdjson      (Debian: libsimdjson-dev)

#include <cstdint>
#include <cstdio>
#include <simdjson.h>
#include <time.h>

static uint64_t objects_in(simdjson::dom::element element) {
    uint64_t count = 0;
    if (element.is_object()) {
        count = 1;
        for (auto member : simdjson::dom::object(element)) count += objects_in(member.value);
    } else if (element.is_array()) {
        for (auto item : simdjson::dom::array(element)) count += objects_in(item);
    }
    return count;
}

// What this thread alone has used, in nanoseconds.
static long long own_time() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    // The kernel that the figures are asked for, wherever the processor has it.
    auto haswell = simdjson::get_available_implementations()["haswell"];
    if (haswell && haswell->supported_by_runtime_system()) simdjson::get_active_implementation() = haswell;
    auto document = simdjson::padded_string::load(arguments[1]);
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (document.error() || parser.parse(document.value()).get(root)) return 1;
    std::printf("%s %llu\n", simdjson::get_active_implementation()->name().c_str(), (unsigned long long)objects_in(root));
    std::fflush(stdout);
    for (unsigned long long turns; std::scanf("%llu", &turns) == 1;) {
        auto start = own_time();
        for (unsigned long long i = 0; i < turns; i++)
            if (parser.parse(document.value()).get(root)) return 1;
        std::printf("%lld\n", own_time() - start);
        std::fflush(stdout);
    }
}
