package dev.semel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** nginx as a plain reverse proxy, set up as its own guide to fast proxying says: keep-alive on both sides, no log. */
final class Nginx {
    private static final String NEVER = "1000000000";

    private Nginx() {}

    /** Starts it with all that it writes in this folder. */
    static MeasuredServer start(Path folder, int upstreamPort) throws IOException, InterruptedException {
        int port = FreePort.pick();
        Path config = Files.createDirectories(folder).resolve("nginx.conf");
        Files.writeString(config, config(folder, port, upstreamPort));
        List<String> command = List.of(Tool.NGINX.find().toString(), "-p", folder.toString(), "-c", config.toString());
        return MeasuredServer.await("nginx", ChildProcess.start(command, folder, Map.of()), port)
                .takes(Workload.PASS_THROUGH, ChargeRequests.passThrough());
    }

    private static String config(Path folder, int port, int upstreamPort) {
        String user = System.getProperty("user.name");
        // Started by root it would become another user, who may not write here.
        String sameUser = user.equals("root") ? "user root;\n" : "";
        return sameUser
                + """
                daemon off;
                worker_processes auto;
                pid {folder}/nginx.pid;
                error_log stderr error;
                events { worker_connections 4096; }
                http {
                  access_log off;
                  client_body_temp_path {folder}/body;
                  proxy_temp_path {folder}/proxy;
                  fastcgi_temp_path {folder}/fastcgi;
                  uwsgi_temp_path {folder}/uwsgi;
                  scgi_temp_path {folder}/scgi;
                  keepalive_requests {never};
                  upstream behind {
                    server 127.0.0.1:{upstream};
                    keepalive 256;
                    keepalive_requests {never};
                  }
                  server {
                    listen 127.0.0.1:{port};
                    location / {
                      proxy_pass http://behind;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                    }
                  }
                }
                """.replace("{folder}", folder.toString())
                        .replace("{never}", NEVER)
                        .replace("{upstream}", Integer.toString(upstreamPort))
                        .replace("{port}", Integer.toString(port));
    }
}
