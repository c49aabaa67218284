package dev.semel.bench.storage;

import com.sun.tools.attach.VirtualMachine;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What {@code nodetool} does to a node of this machine, through the management agent of its JVM. */
final class CassandraNode {
    private static final String STRING = String.class.getName();
    private static final String STRINGS = String[].class.getName();

    private final long pid;

    CassandraNode(long pid) {
        this.pid = pid;
    }

    void flush(String keyspace, String table) throws Exception {
        call("forceKeyspaceFlush", new Object[] {keyspace, new String[] {table}}, STRING, STRINGS);
    }

    void compact(String keyspace, String table) throws Exception {
        call(
                "forceKeyspaceCompaction",
                new Object[] {false, keyspace, new String[] {table}},
                boolean.class.getName(),
                STRING,
                STRINGS);
    }

    /** What the files take that count: those that a compaction has replaced are still there for a while. */
    long liveBytes(String keyspace, String table) throws Exception {
        ObjectName used = new ObjectName("org.apache.cassandra.metrics:type=Table,keyspace=" + keyspace + ",scope="
                + table + ",name=LiveDiskSpaceUsed");
        return onBeans(beans -> (Long) beans.getAttribute(used, "Count"));
    }

    private void call(String operation, Object[] arguments, String... types) throws Exception {
        ObjectName service = new ObjectName("org.apache.cassandra.db:type=StorageService");
        onBeans(beans -> beans.invoke(service, operation, arguments, types));
    }

    /** What is asked of the node's management beans. */
    private interface Question<T> {
        T ask(MBeanServerConnection beans) throws Exception;
    }

    /** The other side is a process that this one has started. */
    @SuppressWarnings("BanJNDI")
    private <T> T onBeans(Question<T> question) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try (JMXConnector connector =
                JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
            return question.ask(connector.getMBeanServerConnection());
        } finally {
            machine.detach();
        }
    }
}
