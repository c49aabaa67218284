package dev.semel.cli;

import dev.semel.cli.SemelProcess.Ended;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines one after another in one process, which is quicker than a process for each: for those that end by
 * themselves, and need neither variables nor input. Ends with the tests.
 */
final class SemelShell {
    private static final SemelShell ONE = new SemelShell();

    private final DataOutputStream to;
    private final DataInputStream from;

    private SemelShell() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SemelProcess.JVM);
        command.addAll(SharedClasses.options());
        command.addAll(List.of("-cp", SharedClasses.CLASS_PATH, Inside.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
        try {
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-shell"));
            this.to = new DataOutputStream(process.getOutputStream());
            this.from = new DataInputStream(process.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Ended run(String... arguments) throws IOException {
        return ONE.send(arguments);
    }

    private synchronized Ended send(String... arguments) throws IOException {
        to.writeInt(arguments.length);
        for (String argument : arguments) to.writeUTF(argument);
        to.flush();
        return new Ended(from.readInt(), from.readUTF(), from.readUTF());
    }

    /** The other process. When the tests are gone there is nothing more to read, and it ends. */
    static final class Inside {
        private Inside() {}

        public static void main(String[] args) throws IOException {
            DataInputStream in = new DataInputStream(System.in);
            DataOutputStream answers = new DataOutputStream(System.out);
            while (true) {
                String[] line = new String[in.readInt()];
                for (int i = 0; i < line.length; i++) line[i] = in.readUTF();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                ByteArrayOutputStream err = new ByteArrayOutputStream();
                System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
                System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
                answers.writeInt(Main.run(line));
                answers.writeUTF(out.toString(StandardCharsets.UTF_8));
                answers.writeUTF(err.toString(StandardCharsets.UTF_8));
                answers.flush();
            }
        }
    }
}
