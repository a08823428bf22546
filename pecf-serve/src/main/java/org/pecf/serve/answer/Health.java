package org.pecf.serve.answer;

/**
 * The state of the service.
 *
 * @param status one word: alive, ready or stopping
 */
public record Health(String status) {}
