package dev.semel.core.store;

/**
 * What to do about a record: write a change, or leave it and answer.
 *
 * @param <A> what is answered when nothing is to be written
 */
public sealed interface Ruling<A> {
    record Become<A>(Change change) implements Ruling<A> {}

    record Answer<A>(A answer) implements Ruling<A> {}
}
