package dev.semel.client;

/**
 * What became of one pending call while a client {@linkplain SemelClient#resume resumes}.
 *
 * @param intent its name
 * @param done how many are done now, this one included
 * @param total how many were pending when it began
 */
public record Progress(String intent, Answer answer, int done, int total) {}
