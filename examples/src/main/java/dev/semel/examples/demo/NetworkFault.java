package dev.semel.examples.demo;

/** What the network does to one request and its answer. */
enum NetworkFault {
    NONE,
    /** The request arrives and is answered, but the answer is thrown away and the connection breaks. */
    ANSWER_LOST,
    /** The answer arrives when the client has long given up. */
    ANSWER_LATE,
    /** The connection breaks while the request is being sent. */
    REQUEST_CUT
}
