package dev.semel.torture.nemesis;

import dev.semel.torture.net.Link;
import dev.semel.torture.net.Weather;
import java.io.IOException;
import java.util.Random;

/** A link does not do what it should. */
record BadWeather(Link link, Weather weather) implements Fault {
    @Override
    public String target() {
        return link.name();
    }

    @Override
    public void strike(Random luck) throws IOException {
        link.change(weather);
    }

    @Override
    public void mend() throws IOException {
        link.change(Weather.CALM);
    }
}
