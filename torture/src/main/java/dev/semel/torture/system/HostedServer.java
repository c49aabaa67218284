package dev.semel.torture.system;

import java.io.IOException;

/**
 * A server of a store that another process has started: a single one, or a shard of a cluster. What is done to a shard is done to its
 * master.
 */
public final class HostedServer implements ManagedProcess {
    private final ServerHostProcess host;
    private final String name;
    private final String number;
    private boolean killed;

    /** @param number by which its host knows it */
    HostedServer(ServerHostProcess host, String name, String number) {
        this.host = host;
        this.name = name;
        this.number = number;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void kill() throws IOException {
        killed = true;
        host.tell("kill", number);
    }

    /** Returns when it is ready. */
    @Override
    public void start() throws IOException {
        host.tell("restart", number);
        killed = false;
    }

    @Override
    public void ensureStarted() throws IOException {
        if (killed) start();
    }

    @Override
    public void pause() throws IOException {
        host.tell("pause", number);
    }

    @Override
    public void resume() throws IOException {
        host.tell("resume", number);
    }

    /** Of a shard: whether the whole cluster is well. */
    @Override
    public boolean isReady() {
        try {
            return !killed && host.tell("well", number).equals("true");
        } catch (IOException e) {
            return false;
        }
    }

    /** The replica of this shard stops to copy its master, until {@link #failOver}. */
    public void leaveReplicaBehind() throws IOException {
        host.tell("leave-replica-behind", number);
    }

    /** The master dies, and the replica that was left behind takes over. Returns when it has. */
    public void failOver() throws IOException {
        killed = true;
        host.tell("fail-over", number);
    }

    /** Some slots go to the next shard, unless something of the cluster is broken. */
    public void moveSlots() throws IOException {
        host.tell("move-slots", number);
    }
}
