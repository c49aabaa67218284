package dev.semel.torture.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts the servers of a store, and does to them what it is told: one order a line, one answer a line, which begins with {@code ok} or with
 * {@code failed}. When nobody is left to give orders, it ends, and its servers with it.
 *
 * <p>Arguments: the kind of server, a folder for its data and logs, and for a cluster the ports of its nodes.
 */
public final class ServerHost {
    private final HostedServers servers;

    private ServerHost(HostedServers servers) {
        this.servers = servers;
    }

    public static void main(String[] args) throws IOException {
        // Nothing else may write to where answers are read.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String> all = List.of(args);
        try (HostedServers servers = HostedServers.start(all.get(0), Path.of(all.get(1)), all.subList(2, all.size()))) {
            answers.println("ok " + servers.about());
            ServerHost host = new ServerHost(servers);
            for (String order; (order = orders.readLine()) != null; ) answers.println(host.obey(order.split(" ", 2)));
        }
    }

    private String obey(String[] order) {
        try {
            return ("ok " + done(order[0], order.length > 1 ? order[1] : "")).strip();
        } catch (RuntimeException e) {
            e.printStackTrace();
            return ("failed " + e.getMessage()).lines().findFirst().orElseThrow();
        }
    }

    private String done(String order, String name) {
        switch (order) {
            case "kill" -> servers.kill(name);
            case "restart" -> servers.restart(name);
            case "pause" -> servers.pause(name);
            case "resume" -> servers.resume(name);
            case "well" -> {
                return Boolean.toString(servers.isWell());
            }
            default -> {
                return servers.tell(order, name);
            }
        }
        return "";
    }
}
