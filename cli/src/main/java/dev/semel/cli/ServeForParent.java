package dev.semel.cli;

import java.io.IOException;

/** {@code semel}, in a process that ends when the one that has started it is gone, however that went. */
final class ServeForParent {
    private ServeForParent() {}

    public static void main(String[] args) {
        Thread.ofPlatform().daemon().name("watch-parent").start(ServeForParent::endWithParent);
        Main.main(args);
    }

    /** Nobody writes to this input: it ends when the parent does. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // Gone too.
        }
        Runtime.getRuntime().halt(1);
    }
}
