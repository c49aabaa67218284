package dev.semel.servlet;

import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Takes the body of a request in whole, up to a limit. Takes memory for what comes, not for what was announced. */
final class RequestBody {
    private static final int STEP = 8192;

    private RequestBody() {}

    sealed interface Reading {
        record Whole(byte[] bytes) implements Reading {}

        record Refused(HttpResponse answer) implements Reading {}
    }

    /**
     * @throws IOException when the client broke off: nothing ran, and nobody is there to be told
     * @throws ServletException when someone else has read it before, and it was no form
     */
    static Reading read(HttpServletRequest request, long limit) throws IOException, ServletException {
        long announced = request.getContentLengthLong();
        if (announced > limit) return new Reading.Refused(Problem.bodyTooLarge(limit));
        ServletInputStream in = request.getInputStream();
        // Of a body in chunks, also of an empty one, the end is not known before it was read.
        boolean readBefore = request.getHeader("Transfer-Encoding") != null && in.isFinished();
        ByteArrayOutputStream body = new ByteArrayOutputStream((int) Math.max(0, Math.min(announced, STEP)));
        byte[] step = new byte[STEP];
        for (int count = in.read(step); count >= 0; count = in.read(step)) {
            if (body.size() + (long) count > limit) return new Reading.Refused(Problem.bodyTooLarge(limit));
            body.write(step, 0, count);
        }
        byte[] form = body.size() == 0 ? FormBody.madeAgain(request) : null;
        if (form != null)
            return form.length > limit ? new Reading.Refused(Problem.bodyTooLarge(limit)) : new Reading.Whole(form);
        if (readBefore || (announced > 0 && body.size() < announced))
            throw new ServletException("The body of a guarded request was read before SemelFilter could:"
                    + " map the filter before whatever reads bodies.");
        return new Reading.Whole(body.toByteArray());
    }
}
