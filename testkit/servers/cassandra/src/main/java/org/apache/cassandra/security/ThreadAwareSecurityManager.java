package org.apache.cassandra.security;

/**
 * Stands in for Cassandra's own class of this name, which installs a security manager: no JDK since 24 can have one, and
 * Cassandra 5.0 does not start there without this. It guards functions that users define, which stay off.
 */
public final class ThreadAwareSecurityManager {
    private ThreadAwareSecurityManager() {}

    public static void install() {}
}
