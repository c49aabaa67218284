package dev.semel.cli;

import java.lang.reflect.Proxy;

/**
 * The signal SIGHUP, by which those who run a server ask it to read its configuration again. The platform has no other
 * way to hear of it than {@code sun.misc.Signal}, which the compiler warns of however it is named; so it is looked up.
 */
final class Sighup {
    private Sighup() {}

    /** @return whether there is such a signal here; not on every system, nor where it is ignored on purpose */
    static boolean onSignal(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    Sighup.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) action.run();
                        return switch (method.getName()) {
                            case "equals" -> arguments != null && proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "toString" -> "reload";
                            default -> null;
                        };
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handling);
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
