package dev.semel.testkit.cassandra;

import dev.semel.testkit.server.ServerClassPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of the server: as Cassandra's own scripts have it, with less memory and no waiting for other nodes. */
final class CassandraCommand {
    private static final int FIRST_JDK_THAT_WARNS_OF_UNSAFE = 24;

    /** What Cassandra reaches into, in packages of the module before the slash. */
    private static final List<String> EXPORTS = List.of(
            "java.base/jdk.internal.misc",
            "java.base/jdk.internal.ref",
            "java.base/sun.nio.ch",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.rmi/sun.rmi.transport",
            "java.rmi/sun.rmi.transport.tcp",
            "java.sql/java.sql",
            "jdk.naming.dns/com.sun.jndi.dns");

    private static final List<String> OPENS = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.module",
            "java.base/java.lang.reflect",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.nio.file.attribute",
            "java.base/java.nio.file.spi",
            "java.base/java.time",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/java.util.concurrent.locks",
            "java.base/java.util.regex",
            "java.base/java.util.stream",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.vm",
            "java.base/sun.nio.ch",
            "java.rmi/sun.rmi.transport.tcp",
            "jdk.management/com.sun.management.internal");

    private CassandraCommand() {}

    static List<String> in(Path folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx320m", "-Xms128m", "-XX:MaxDirectMemorySize=128m", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+PerfDisableSharedMem"));
        for (String exported : EXPORTS) command.addAll(List.of("--add-exports", exported + "=ALL-UNNAMED"));
        for (String opened : OPENS) command.addAll(List.of("--add-opens", opened + "=ALL-UNNAMED"));
        if (Runtime.version().feature() >= FIRST_JDK_THAT_WARNS_OF_UNSAFE)
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(
                "-Djdk.attach.allowAttachSelf=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dcassandra.config=" + folder.resolve("cassandra.yaml").toUri(),
                "-Dcassandra.storagedir=" + folder,
                "-Dcassandra.triggers_dir=" + folder.resolve("triggers"),
                "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
                "-Dcassandra-foreground=yes",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "-Dcassandra.ring_delay_ms=100",
                "-Dcassandra.superuser_setup_delay_ms=0"));
        command.addAll(List.of(
                "-cp",
                ServerClassPath.of(CassandraCommand.class, "Cassandra", "testkit/servers/cassandra"),
                "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }
}
