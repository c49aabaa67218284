-------------------------------- MODULE Semel --------------------------------
(* The life of one key: claim, lease, take-over, doubt, probe, complete, and the time after that. Keys never meet, so one
   is enough. README.md says which method each step stands for, what is assumed, and how far the checker goes.

   A step is what one party does at once. The time that anything takes is the time between steps, and any other party may
   take any number of steps meanwhile: a process that was paused for a year is one that took no step for long. Whoever
   crashes takes no step any more; what restarts is another attempt. *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Attempts,     \* by name; each claims once. Retries, duplicates, and what a restarted process does are more of them
    Strangers,    \* those of them that ask for something else under the same key
    Probers,      \* those who may set out to find out, each once
    Operator,     \* whether there is someone who may end a doubt by hand
    Again,        \* those whose callers agreed to a second run: at-least-once. All others were promised at-most-once
    FencedUpstream, \* whether the upstream refuses a token lower than one it has accepted
    OneGateway,   \* whether all attempts and probers live in one process
    AfterCovers,  \* what `after` of a probe is longer than: "all" requests take, or only those "abandoned" by their sender
    Lives,        \* how often the key may begin anew after it was forgotten, counting the first
    LostAnswers,  \* how many answers of the store get lost
    Renewals,     \* how many times a lease is renewed
    Weak          \* the rules that are broken, by name; none in a model of what is promised

(* --algorithm Semel
variables
    rec = Nothing,       \* the record in the store
    floor = 0,           \* the store's clock when it last purged the key: higher than any number it gave out before
    pending = {},        \* writes whose answer is lost, and which the store may yet apply
    flight = {},         \* tokens of requests that are sent and not yet dealt with
    effects = <<>>,      \* tokens of the requests that the upstream carried out, in this order
    reply = [a \in Attempts |-> 0],  \* the upstream's answer on its way back
    lostAnswers = 0,
    renewals = 0,
    \* What only the reader of the model knows:
    life = 0,            \* which life the key is in
    granted = <<>>,      \* every grant that the store took
    recorded = {},       \* every outcome that the store took
    told = {},           \* every outcome that a caller was told
    staleHolder = FALSE; \* whether the upstream refused the token of a holder that nobody had overtaken

define
    Broken(rule) == rule \in Weak

    Payload(a) == IF a \in Strangers THEN "other" ELSE "same"

    \* ---- what is in the store ----
    Nothing == [st |-> "none", fp |-> "", tok |-> 0, rev |-> 0, holder |-> "", live |-> FALSE, out |-> 0]
    Becomes(r, st) == [r EXCEPT !.st = st, !.rev = @ + 1, !.live = FALSE]
    HeldBy(r, a) == [Becomes(r, "held") EXCEPT !.tok = @ + 1, !.holder = a, !.fp = Payload(a), !.live = TRUE, !.out = 0]
    Renewed(r) == [Becomes(r, "held") EXCEPT !.live = TRUE]
    DoneWith(r, out) == [Becomes(r, "done") EXCEPT !.out = out]
    \* Clients' clocks: a key is forgotten only when every clock is past its last number, or a slow one would begin below it.
    FirstNumber == IF Broken("tokens grow") \/ Broken("skew is added") THEN 1 ELSE floor + 1
    FirstHeldBy(a) == [HeldBy(Nothing, a) EXCEPT !.tok = FirstNumber, !.rev = FirstNumber]

    \* ---- writes: an insert goes from revision 0, which only "none" has ----
    Write(from, to, word) == [from |-> from, to |-> to, word |-> word]
    Insert(a) == Write(0, [Nothing EXCEPT !.holder = a], 0)
    Fits(w) == \/ rec.rev = w.from
               \/ Broken("swap by revision") /\ w.from > 0 /\ rec.rev > 0
    Landed(w) == IF w.from = 0 THEN FirstHeldBy(w.to.holder) ELSE w.to

    \* ---- what the reader knows ----
    GrantOf(tok) == granted[CHOOSE i \in 1..Len(granted) : granted[i].tok = tok]
    LifeOf(tok) == GrantOf(tok).life
    HolderOf(tok) == GrantOf(tok).by
    Range(s) == {s[i] : i \in 1..Len(s)}
    Refusal(tok) == 100 + tok  \* an answer too, but not about an effect
    Abs(n) == IF n < 0 THEN -n ELSE n
    Happened == {t \in Range(effects) : LifeOf(t) = life}
    Known(there) == IF there = {} THEN 0 ELSE CHOOSE t \in there : \A o \in there : t >= o
    AtWork(a) == pc[a] \in {"Send", "Await", "Settle", "Look"}
    AfterIsOver == \A t \in flight : AfterCovers = "abandoned" /\ AtWork(HolderOf(t))

    \* ---- ClaimRules: pure, from what was seen to a record to become, or an answer ----
    Become(r) == [become |-> TRUE, to |-> r, answer |-> ""]
    Answer(a) == [become |-> FALSE, to |-> Nothing, answer |-> a]

    \* The record tells what its holder's caller was promised, and a claim what its own is.
    MayRunAgain(r, a) == \/ a \in Again /\ (r.holder \in Again \/ Broken("both agree"))
                         \/ Broken("no take-over")

    OnClaim(r, a) ==
        IF r.st = "held" /\ r.holder = a THEN Become(Renewed(r))
        ELSE IF r.st = "gone" THEN Become(HeldBy(r, a))
        ELSE IF r.fp # Payload(a) /\ ~Broken("payload checked") THEN Answer("mismatched")
        ELSE CASE r.st = "free" -> Become(HeldBy(r, a))
               [] r.st = "held" /\ r.live -> Answer("in progress")
               [] r.st = "held" /\ ~r.live ->
                    IF MayRunAgain(r, a) THEN Become(HeldBy(r, a)) ELSE Become(Becomes(r, "doubt"))
               [] r.st = "done" -> Answer("done")
               [] r.st = "doubt" -> Answer("in doubt")
               [] r.st = "spent" -> Answer("spent")

    OnWord(r, a, tok, word, out) ==
        IF r.st = "none" \/ (r.tok # tok /\ ~Broken("token checked")) THEN Answer("superseded")
        ELSE IF word = "complete" THEN
            \* Late, but true: nobody was let in since, or the token would be another.
            CASE r.st \in {"held", "doubt"} \/ (r.st = "free" /\ ~Broken("late answers count")) -> Become(DoneWith(r, out))
              [] r.st = "done" /\ r.out = out -> Answer("accepted")
              [] OTHER -> Answer("superseded")
        ELSE IF word = "doubt" THEN
            CASE r.st = "held" -> Become(Becomes(r, IF a \in Again THEN "free" ELSE "doubt"))
              [] r.st = "doubt" \/ (r.st = "free" /\ a \in Again) -> Answer("accepted")
              [] OTHER -> Answer("superseded")
        ELSE
            \* Who knows that nothing ran says so, also when others began to doubt it.
            CASE r.st = "held" \/ (r.st = "doubt" /\ ~Broken("late releases count")) -> Become(Becomes(r, "free"))
              [] r.st = "free" -> Answer("accepted")
              [] OTHER -> Answer("superseded")

    \* What happened is true of its token whenever it is said; the rest only while nothing was written since.
    OnFinding(r, asked, found) ==
        IF r.tok # asked.tok \/ r.st # "doubt" THEN Answer("overtaken")
        ELSE CASE found \notin {0, -1} -> Become(DoneWith(r, found))
               [] found = 0 /\ r.rev = asked.rev -> Become(Becomes(r, "free"))
               [] found = -1 /\ r.rev = asked.rev -> Become(Becomes(r, "doubt"))
               [] OTHER -> Answer("overtaken")

    \* Asked right before the first byte. Its own count of time may tell a holder no too early, never yes too late.
    \* Clients' clocks: without the skew, a fast clock takes a lease for over that the holder's own still counts on.
    SurelyHeld(tok) == \/ (rec.st = "held" /\ rec.tok = tok /\ rec.live)
                       \/ Broken("no pause after the look")
                       \/ Broken("skew is added")
end define;

\* The store takes a write. All that is known to the reader alone is noted in the same step.
macro Take(w) begin
    with to = Landed(w), anew = rec.st \in {"none", "gone"} do
        if to.st = "held" /\ (anew \/ to.tok # rec.tok) then
            granted := Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0]);
        end if;
        if anew then life := life + 1; end if;
        if to.st = "done" then
            recorded := recorded \union {[out |-> to.out, life |-> life, tok |-> rec.tok, word |-> w.word]};
        end if;
        rec := to;
    end with;
end macro;

macro Lose(w) begin
    await lostAnswers < LostAnswers;
    lostAnswers := lostAnswers + 1;
    pending := pending \union {w};
end macro;

macro Tell(out) begin
    told := told \union {[out |-> out, fp |-> Payload(self)]};
end macro;

\* An attempt that is over, or that crashed: nobody can tell the two apart, and it remembers nothing.
macro End() begin
    known := Nothing; tok := 0; word := ""; got := 0; reply[self] := 0;
end macro;

fair process attempt \in Attempts
variables known = Nothing, tok = 0, word = "", got = 0;
begin
Claim:
    either
        if rec.st = "none" then
            known := FirstHeldBy(self); tok := FirstNumber;
            Take(Insert(self));
            goto Send;
        elsif OnClaim(rec, self).become then
            known := rec;
            goto Swap;
        else
            if OnClaim(rec, self).answer = "done" then Tell(rec.out); end if;
            End();
            goto Done;
        end if;
    or  \* C1: the claim may be written. Try again, or give up and see that nobody holds it.
        await rec.st = "none";
        Lose(Insert(self));
        either goto Claim; or goto Disown; end either;
    end either;
Swap:
    either
        with w = Write(known.rev, OnClaim(known, self).to, 0) do
            if ~Fits(w) then
                known := Nothing;
                goto Claim;
            elsif w.to.st = "held" then
                known := w.to; tok := w.to.tok;
                Take(w);
                goto Send;
            else
                known := Nothing;
                Take(w);
                goto Claim;
            end if;
        end with;
    or  \* C1
        Lose(Write(known.rev, OnClaim(known, self).to, 0));
        known := Nothing;
        either goto Claim; or goto Disown; end either;
    end either;
Disown: \* The caller was told that nothing was sent.
    either
        await rec.st = "held" /\ rec.holder = self;
        Take(Write(rec.rev, Becomes(rec, "free"), 0));
        End();
        goto Done;
    or
        End();
        goto Done;
    end either;
Send:
    either
        await SurelyHeld(tok);
        flight := flight \union {tok};
        goto Await;
    or  \* Not one byte was sent.
        word := "release";
        goto Settle;
    or
        await renewals < Renewals /\ rec.rev = known.rev;
        renewals := renewals + 1;
        known := Renewed(rec);
        Take(Write(rec.rev, Renewed(rec), 0));
        goto Send;
    or  \* C3
        End();
        goto Done;
    end either;
Await:
    either
        await reply[self] > 0;
        got := reply[self];
        reply[self] := 0;
        word := "complete";
        if Broken("durable first") then Tell(got); end if;
        goto Settle;
    or  \* The upstream said that nothing ran.
        await reply[self] = -1;
        reply[self] := 0;
        word := "release";
        goto Settle;
    or  \* Sent, and no answer.
        reply[self] := 0;
        word := IF Broken("doubt when no answer") THEN "release" ELSE "doubt";
        goto Settle;
    or
        await renewals < Renewals /\ rec.rev = known.rev;
        renewals := renewals + 1;
        either
            known := Renewed(rec);
            Take(Write(rec.rev, Renewed(rec), 0));
        or
            Lose(Write(rec.rev, Renewed(rec), 0));
        end either;
        goto Await;
    or  \* C3, C4
        End();
        goto Done;
    end either;
Settle: \* First by the record that the holder remembers, then by what it is shown.
    with ruling = OnWord(known, self, tok, word, got), w = Write(known.rev, ruling.to, tok) do
        either
            if ~ruling.become then
                if word = "complete" /\ ruling.answer = "superseded" then
                    goto Overtaken;
                elsif word = "complete" then
                    goto Accepted;
                else
                    End();
                    goto Done;
                end if;
            elsif ~Fits(w) then
                known := rec;
                goto Settle;
            else
                Take(w);
                if word = "complete" then
                    goto Accepted;
                else
                    End();
                    goto Done;
                end if;
            end if;
        or  \* C2: read back before anything is built on it.
            await ruling.become;
            Lose(w);
            if Broken("unknown is read back") /\ word = "complete" then goto Accepted; else goto Look; end if;
        or  \* C4
            End();
            goto Done;
        end either;
    end with;
Look:
    known := rec;
    goto Settle;
Accepted: \* C5
    Tell(got);
    End();
    goto Done;
Overtaken: \* What counts is what is recorded, not what this attempt saw.
    if rec.st = "done" /\ (rec.fp = Payload(self) \/ Broken("overtaken checks the payload")) then Tell(rec.out); end if;
    End();
end process;

\* Requests are carried out however late; or refused. A lost answer, or a lost request, is a holder that no longer waits.
fair process upstream = "upstream"
begin
Serve:
    while TRUE do
        with t \in flight, waits = pc[HolderOf(t)] = "Await" do
            flight := flight \ {t};
            either
                if FencedUpstream /\ \E e \in Range(effects) : e > t then
                    staleHolder := staleHolder \/ (rec.st = "held" /\ rec.tok = t);
                    reply[HolderOf(t)] := IF waits THEN Refusal(t) ELSE 0;
                else
                    effects := Append(effects, t);
                    reply[HolderOf(t)] := IF waits THEN t ELSE 0;
                end if;
            or  \* "Nothing ran", and that is true.
                reply[HolderOf(t)] := IF waits THEN -1 ELSE 0;
            end either;
        end with;
    end while;
end process;

fair process store = "store"
begin
Apply:
    while TRUE do
        with w \in pending do
            pending := pending \ {w};
            either
                await Fits(w);
                Take(w);
            or
                skip;
            end either;
        end with;
    end while;
end process;

\* A lease may run out at any moment.
fair process lease = "lease"
begin
RunOut:
    while TRUE do
        await rec.st = "held" /\ rec.live;
        rec.live := FALSE;
    end while;
end process;

\* The sweep comes across a key whose holder is past its lease. Its own rules may be those of any caller.
fair process watch = "watch"
begin
FellSilent:
    while TRUE do
        await Again # Attempts /\ rec.st = "held" /\ ~rec.live /\ ~Broken("silence is watched");
        Take(Write(rec.rev, Becomes(rec, "doubt"), 0));
    end while;
end process;

\* Whoever asks: a claim that found the doubt, or the background. The time for it has come; the time of one who asked
\* before may be over at any moment.
fair process prober \in Probers
variables asked = Nothing, found = 0;
begin
Ask: \* C7: written down that someone asks. Dead from here on, another one asks.
    await rec.st = "doubt" /\ (AfterIsOver \/ Broken("probe after the flight"));
    await ~(OneGateway /\ AtWork(rec.holder)) \/ Broken("no probe while at work");
    asked := Becomes(rec, "doubt");
    Take(Write(rec.rev, Becomes(rec, "doubt"), 0));
    either
        found := Known(IF Broken("probe knows lives apart") THEN Range(effects) ELSE Happened);
    or
        found := -1;
    end either;
Find: \* C8
    either
        await OnFinding(rec, asked, found).become;
        either
            Take(Write(rec.rev, OnFinding(rec, asked, found).to, rec.tok));
        or
            Lose(Write(rec.rev, OnFinding(rec, asked, found).to, rec.tok));
        end either;
    or
        skip;
    end either;
    asked := Nothing; found := 0;
end process;

\* Comes or does not come; says the truth, and what happened in words of its own (a negative number).
process operator = "operator"
begin
Resolve:
    while TRUE do
        await Operator;
        either
            await rec.st = "doubt" /\ Happened # {};
            Take(Write(rec.rev, DoneWith(rec, -rec.tok), rec.tok));
        or
            await rec.st = "doubt" /\ Happened = {} /\ flight = {};
            Take(Write(rec.rev, Becomes(rec, "free"), 0));
        or
            await Broken("no force") /\ rec.st = "held";
            Take(Write(rec.rev, Becomes(rec, "free"), 0));
        end either;
    end while;
end process;

\* Retention, tombstone, purge, in every life but the last. None of it changes the revision.
process time = "time"
begin
Forget:
    while TRUE do
        either
            await rec.st = "done" /\ life < Lives;
            rec.st := "spent" || rec.out := 0;
        or
            await rec.st \in {"spent", "free"} /\ life < Lives;
            rec.st := "gone";
        or
            await rec.st = "gone";
            floor := rec.rev;
            rec := Nothing;
        end either;
    end while;
end process;
end algorithm; *)
\* BEGIN TRANSLATION (chksum(pcal) = "3b611386" /\ chksum(tla) = "f2a89d7d")
VARIABLES rec, floor, pending, flight, effects, reply, lostAnswers, renewals, 
          life, granted, recorded, told, staleHolder, pc

(* define statement *)
Broken(rule) == rule \in Weak

Payload(a) == IF a \in Strangers THEN "other" ELSE "same"


Nothing == [st |-> "none", fp |-> "", tok |-> 0, rev |-> 0, holder |-> "", live |-> FALSE, out |-> 0]
Becomes(r, st) == [r EXCEPT !.st = st, !.rev = @ + 1, !.live = FALSE]
HeldBy(r, a) == [Becomes(r, "held") EXCEPT !.tok = @ + 1, !.holder = a, !.fp = Payload(a), !.live = TRUE, !.out = 0]
Renewed(r) == [Becomes(r, "held") EXCEPT !.live = TRUE]
DoneWith(r, out) == [Becomes(r, "done") EXCEPT !.out = out]

FirstNumber == IF Broken("tokens grow") \/ Broken("skew is added") THEN 1 ELSE floor + 1
FirstHeldBy(a) == [HeldBy(Nothing, a) EXCEPT !.tok = FirstNumber, !.rev = FirstNumber]


Write(from, to, word) == [from |-> from, to |-> to, word |-> word]
Insert(a) == Write(0, [Nothing EXCEPT !.holder = a], 0)
Fits(w) == \/ rec.rev = w.from
           \/ Broken("swap by revision") /\ w.from > 0 /\ rec.rev > 0
Landed(w) == IF w.from = 0 THEN FirstHeldBy(w.to.holder) ELSE w.to


GrantOf(tok) == granted[CHOOSE i \in 1..Len(granted) : granted[i].tok = tok]
LifeOf(tok) == GrantOf(tok).life
HolderOf(tok) == GrantOf(tok).by
Range(s) == {s[i] : i \in 1..Len(s)}
Refusal(tok) == 100 + tok
Abs(n) == IF n < 0 THEN -n ELSE n
Happened == {t \in Range(effects) : LifeOf(t) = life}
Known(there) == IF there = {} THEN 0 ELSE CHOOSE t \in there : \A o \in there : t >= o
AtWork(a) == pc[a] \in {"Send", "Await", "Settle", "Look"}
AfterIsOver == \A t \in flight : AfterCovers = "abandoned" /\ AtWork(HolderOf(t))


Become(r) == [become |-> TRUE, to |-> r, answer |-> ""]
Answer(a) == [become |-> FALSE, to |-> Nothing, answer |-> a]


MayRunAgain(r, a) == \/ a \in Again /\ (r.holder \in Again \/ Broken("both agree"))
                     \/ Broken("no take-over")

OnClaim(r, a) ==
    IF r.st = "held" /\ r.holder = a THEN Become(Renewed(r))
    ELSE IF r.st = "gone" THEN Become(HeldBy(r, a))
    ELSE IF r.fp # Payload(a) /\ ~Broken("payload checked") THEN Answer("mismatched")
    ELSE CASE r.st = "free" -> Become(HeldBy(r, a))
           [] r.st = "held" /\ r.live -> Answer("in progress")
           [] r.st = "held" /\ ~r.live ->
                IF MayRunAgain(r, a) THEN Become(HeldBy(r, a)) ELSE Become(Becomes(r, "doubt"))
           [] r.st = "done" -> Answer("done")
           [] r.st = "doubt" -> Answer("in doubt")
           [] r.st = "spent" -> Answer("spent")

OnWord(r, a, tok, word, out) ==
    IF r.st = "none" \/ (r.tok # tok /\ ~Broken("token checked")) THEN Answer("superseded")
    ELSE IF word = "complete" THEN

        CASE r.st \in {"held", "doubt"} \/ (r.st = "free" /\ ~Broken("late answers count")) -> Become(DoneWith(r, out))
          [] r.st = "done" /\ r.out = out -> Answer("accepted")
          [] OTHER -> Answer("superseded")
    ELSE IF word = "doubt" THEN
        CASE r.st = "held" -> Become(Becomes(r, IF a \in Again THEN "free" ELSE "doubt"))
          [] r.st = "doubt" \/ (r.st = "free" /\ a \in Again) -> Answer("accepted")
          [] OTHER -> Answer("superseded")
    ELSE

        CASE r.st = "held" \/ (r.st = "doubt" /\ ~Broken("late releases count")) -> Become(Becomes(r, "free"))
          [] r.st = "free" -> Answer("accepted")
          [] OTHER -> Answer("superseded")


OnFinding(r, asked, found) ==
    IF r.tok # asked.tok \/ r.st # "doubt" THEN Answer("overtaken")
    ELSE CASE found \notin {0, -1} -> Become(DoneWith(r, found))
           [] found = 0 /\ r.rev = asked.rev -> Become(Becomes(r, "free"))
           [] found = -1 /\ r.rev = asked.rev -> Become(Becomes(r, "doubt"))
           [] OTHER -> Answer("overtaken")



SurelyHeld(tok) == \/ (rec.st = "held" /\ rec.tok = tok /\ rec.live)
                   \/ Broken("no pause after the look")
                   \/ Broken("skew is added")

VARIABLES known, tok, word, got, asked, found

vars == << rec, floor, pending, flight, effects, reply, lostAnswers, renewals, 
           life, granted, recorded, told, staleHolder, pc, known, tok, word, 
           got, asked, found >>

ProcSet == (Attempts) \cup {"upstream"} \cup {"store"} \cup {"lease"} \cup {"watch"} \cup (Probers) \cup {"operator"} \cup {"time"}

Init == (* Global variables *)
        /\ rec = Nothing
        /\ floor = 0
        /\ pending = {}
        /\ flight = {}
        /\ effects = <<>>
        /\ reply = [a \in Attempts |-> 0]
        /\ lostAnswers = 0
        /\ renewals = 0
        /\ life = 0
        /\ granted = <<>>
        /\ recorded = {}
        /\ told = {}
        /\ staleHolder = FALSE
        (* Process attempt *)
        /\ known = [self \in Attempts |-> Nothing]
        /\ tok = [self \in Attempts |-> 0]
        /\ word = [self \in Attempts |-> ""]
        /\ got = [self \in Attempts |-> 0]
        (* Process prober *)
        /\ asked = [self \in Probers |-> Nothing]
        /\ found = [self \in Probers |-> 0]
        /\ pc = [self \in ProcSet |-> CASE self \in Attempts -> "Claim"
                                        [] self = "upstream" -> "Serve"
                                        [] self = "store" -> "Apply"
                                        [] self = "lease" -> "RunOut"
                                        [] self = "watch" -> "FellSilent"
                                        [] self \in Probers -> "Ask"
                                        [] self = "operator" -> "Resolve"
                                        [] self = "time" -> "Forget"]

Claim(self) == /\ pc[self] = "Claim"
               /\ \/ /\ IF rec.st = "none"
                           THEN /\ known' = [known EXCEPT ![self] = FirstHeldBy(self)]
                                /\ tok' = [tok EXCEPT ![self] = FirstNumber]
                                /\ LET to == Landed((Insert(self))) IN
                                     LET anew == rec.st \in {"none", "gone"} IN
                                       /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                             THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                             ELSE /\ TRUE
                                                  /\ UNCHANGED granted
                                       /\ IF anew
                                             THEN /\ life' = life + 1
                                             ELSE /\ TRUE
                                                  /\ life' = life
                                       /\ IF to.st = "done"
                                             THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Insert(self)).word]})
                                             ELSE /\ TRUE
                                                  /\ UNCHANGED recorded
                                       /\ rec' = to
                                /\ pc' = [pc EXCEPT ![self] = "Send"]
                                /\ UNCHANGED << reply, told, word, got >>
                           ELSE /\ IF OnClaim(rec, self).become
                                      THEN /\ known' = [known EXCEPT ![self] = rec]
                                           /\ pc' = [pc EXCEPT ![self] = "Swap"]
                                           /\ UNCHANGED << reply, told, tok, 
                                                           word, got >>
                                      ELSE /\ IF OnClaim(rec, self).answer = "done"
                                                 THEN /\ told' = (told \union {[out |-> (rec.out), fp |-> Payload(self)]})
                                                 ELSE /\ TRUE
                                                      /\ told' = told
                                           /\ known' = [known EXCEPT ![self] = Nothing]
                                           /\ tok' = [tok EXCEPT ![self] = 0]
                                           /\ word' = [word EXCEPT ![self] = ""]
                                           /\ got' = [got EXCEPT ![self] = 0]
                                           /\ reply' = [reply EXCEPT ![self] = 0]
                                           /\ pc' = [pc EXCEPT ![self] = "Done"]
                                /\ UNCHANGED << rec, life, granted, recorded >>
                     /\ UNCHANGED <<pending, lostAnswers>>
                  \/ /\ rec.st = "none"
                     /\ lostAnswers < LostAnswers
                     /\ lostAnswers' = lostAnswers + 1
                     /\ pending' = (pending \union {(Insert(self))})
                     /\ \/ /\ pc' = [pc EXCEPT ![self] = "Claim"]
                        \/ /\ pc' = [pc EXCEPT ![self] = "Disown"]
                     /\ UNCHANGED <<rec, reply, life, granted, recorded, told, known, tok, word, got>>
               /\ UNCHANGED << floor, flight, effects, renewals, staleHolder, 
                               asked, found >>

Swap(self) == /\ pc[self] = "Swap"
              /\ \/ /\ LET w == Write(known[self].rev, OnClaim(known[self], self).to, 0) IN
                         IF ~Fits(w)
                            THEN /\ known' = [known EXCEPT ![self] = Nothing]
                                 /\ pc' = [pc EXCEPT ![self] = "Claim"]
                                 /\ UNCHANGED << rec, life, granted, recorded, 
                                                 tok >>
                            ELSE /\ IF w.to.st = "held"
                                       THEN /\ known' = [known EXCEPT ![self] = w.to]
                                            /\ tok' = [tok EXCEPT ![self] = w.to.tok]
                                            /\ LET to == Landed(w) IN
                                                 LET anew == rec.st \in {"none", "gone"} IN
                                                   /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                                         THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                                         ELSE /\ TRUE
                                                              /\ UNCHANGED granted
                                                   /\ IF anew
                                                         THEN /\ life' = life + 1
                                                         ELSE /\ TRUE
                                                              /\ life' = life
                                                   /\ IF to.st = "done"
                                                         THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> w.word]})
                                                         ELSE /\ TRUE
                                                              /\ UNCHANGED recorded
                                                   /\ rec' = to
                                            /\ pc' = [pc EXCEPT ![self] = "Send"]
                                       ELSE /\ known' = [known EXCEPT ![self] = Nothing]
                                            /\ LET to == Landed(w) IN
                                                 LET anew == rec.st \in {"none", "gone"} IN
                                                   /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                                         THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                                         ELSE /\ TRUE
                                                              /\ UNCHANGED granted
                                                   /\ IF anew
                                                         THEN /\ life' = life + 1
                                                         ELSE /\ TRUE
                                                              /\ life' = life
                                                   /\ IF to.st = "done"
                                                         THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> w.word]})
                                                         ELSE /\ TRUE
                                                              /\ UNCHANGED recorded
                                                   /\ rec' = to
                                            /\ pc' = [pc EXCEPT ![self] = "Claim"]
                                            /\ tok' = tok
                    /\ UNCHANGED <<pending, lostAnswers>>
                 \/ /\ lostAnswers < LostAnswers
                    /\ lostAnswers' = lostAnswers + 1
                    /\ pending' = (pending \union {(Write(known[self].rev, OnClaim(known[self], self).to, 0))})
                    /\ known' = [known EXCEPT ![self] = Nothing]
                    /\ \/ /\ pc' = [pc EXCEPT ![self] = "Claim"]
                       \/ /\ pc' = [pc EXCEPT ![self] = "Disown"]
                    /\ UNCHANGED <<rec, life, granted, recorded, tok>>
              /\ UNCHANGED << floor, flight, effects, reply, renewals, told, 
                              staleHolder, word, got, asked, found >>

Disown(self) == /\ pc[self] = "Disown"
                /\ \/ /\ rec.st = "held" /\ rec.holder = self
                      /\ LET to == Landed((Write(rec.rev, Becomes(rec, "free"), 0))) IN
                           LET anew == rec.st \in {"none", "gone"} IN
                             /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                   THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                   ELSE /\ TRUE
                                        /\ UNCHANGED granted
                             /\ IF anew
                                   THEN /\ life' = life + 1
                                   ELSE /\ TRUE
                                        /\ life' = life
                             /\ IF to.st = "done"
                                   THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Becomes(rec, "free"), 0)).word]})
                                   ELSE /\ TRUE
                                        /\ UNCHANGED recorded
                             /\ rec' = to
                      /\ known' = [known EXCEPT ![self] = Nothing]
                      /\ tok' = [tok EXCEPT ![self] = 0]
                      /\ word' = [word EXCEPT ![self] = ""]
                      /\ got' = [got EXCEPT ![self] = 0]
                      /\ reply' = [reply EXCEPT ![self] = 0]
                      /\ pc' = [pc EXCEPT ![self] = "Done"]
                   \/ /\ known' = [known EXCEPT ![self] = Nothing]
                      /\ tok' = [tok EXCEPT ![self] = 0]
                      /\ word' = [word EXCEPT ![self] = ""]
                      /\ got' = [got EXCEPT ![self] = 0]
                      /\ reply' = [reply EXCEPT ![self] = 0]
                      /\ pc' = [pc EXCEPT ![self] = "Done"]
                      /\ UNCHANGED <<rec, life, granted, recorded>>
                /\ UNCHANGED << floor, pending, flight, effects, lostAnswers, 
                                renewals, told, staleHolder, asked, found >>

Send(self) == /\ pc[self] = "Send"
              /\ \/ /\ SurelyHeld(tok[self])
                    /\ flight' = (flight \union {tok[self]})
                    /\ pc' = [pc EXCEPT ![self] = "Await"]
                    /\ UNCHANGED <<rec, reply, renewals, life, granted, recorded, known, tok, word, got>>
                 \/ /\ word' = [word EXCEPT ![self] = "release"]
                    /\ pc' = [pc EXCEPT ![self] = "Settle"]
                    /\ UNCHANGED <<rec, flight, reply, renewals, life, granted, recorded, known, tok, got>>
                 \/ /\ renewals < Renewals /\ rec.rev = known[self].rev
                    /\ renewals' = renewals + 1
                    /\ known' = [known EXCEPT ![self] = Renewed(rec)]
                    /\ LET to == Landed((Write(rec.rev, Renewed(rec), 0))) IN
                         LET anew == rec.st \in {"none", "gone"} IN
                           /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                 THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                 ELSE /\ TRUE
                                      /\ UNCHANGED granted
                           /\ IF anew
                                 THEN /\ life' = life + 1
                                 ELSE /\ TRUE
                                      /\ life' = life
                           /\ IF to.st = "done"
                                 THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Renewed(rec), 0)).word]})
                                 ELSE /\ TRUE
                                      /\ UNCHANGED recorded
                           /\ rec' = to
                    /\ pc' = [pc EXCEPT ![self] = "Send"]
                    /\ UNCHANGED <<flight, reply, tok, word, got>>
                 \/ /\ known' = [known EXCEPT ![self] = Nothing]
                    /\ tok' = [tok EXCEPT ![self] = 0]
                    /\ word' = [word EXCEPT ![self] = ""]
                    /\ got' = [got EXCEPT ![self] = 0]
                    /\ reply' = [reply EXCEPT ![self] = 0]
                    /\ pc' = [pc EXCEPT ![self] = "Done"]
                    /\ UNCHANGED <<rec, flight, renewals, life, granted, recorded>>
              /\ UNCHANGED << floor, pending, effects, lostAnswers, told, 
                              staleHolder, asked, found >>

Await(self) == /\ pc[self] = "Await"
               /\ \/ /\ reply[self] > 0
                     /\ got' = [got EXCEPT ![self] = reply[self]]
                     /\ reply' = [reply EXCEPT ![self] = 0]
                     /\ word' = [word EXCEPT ![self] = "complete"]
                     /\ IF Broken("durable first")
                           THEN /\ told' = (told \union {[out |-> got'[self], fp |-> Payload(self)]})
                           ELSE /\ TRUE
                                /\ told' = told
                     /\ pc' = [pc EXCEPT ![self] = "Settle"]
                     /\ UNCHANGED <<rec, pending, lostAnswers, renewals, life, granted, recorded, known, tok>>
                  \/ /\ reply[self] = -1
                     /\ reply' = [reply EXCEPT ![self] = 0]
                     /\ word' = [word EXCEPT ![self] = "release"]
                     /\ pc' = [pc EXCEPT ![self] = "Settle"]
                     /\ UNCHANGED <<rec, pending, lostAnswers, renewals, life, granted, recorded, told, known, tok, got>>
                  \/ /\ reply' = [reply EXCEPT ![self] = 0]
                     /\ word' = [word EXCEPT ![self] = IF Broken("doubt when no answer") THEN "release" ELSE "doubt"]
                     /\ pc' = [pc EXCEPT ![self] = "Settle"]
                     /\ UNCHANGED <<rec, pending, lostAnswers, renewals, life, granted, recorded, told, known, tok, got>>
                  \/ /\ renewals < Renewals /\ rec.rev = known[self].rev
                     /\ renewals' = renewals + 1
                     /\ \/ /\ known' = [known EXCEPT ![self] = Renewed(rec)]
                           /\ LET to == Landed((Write(rec.rev, Renewed(rec), 0))) IN
                                LET anew == rec.st \in {"none", "gone"} IN
                                  /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                        THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                        ELSE /\ TRUE
                                             /\ UNCHANGED granted
                                  /\ IF anew
                                        THEN /\ life' = life + 1
                                        ELSE /\ TRUE
                                             /\ life' = life
                                  /\ IF to.st = "done"
                                        THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Renewed(rec), 0)).word]})
                                        ELSE /\ TRUE
                                             /\ UNCHANGED recorded
                                  /\ rec' = to
                           /\ UNCHANGED <<pending, lostAnswers>>
                        \/ /\ lostAnswers < LostAnswers
                           /\ lostAnswers' = lostAnswers + 1
                           /\ pending' = (pending \union {(Write(rec.rev, Renewed(rec), 0))})
                           /\ UNCHANGED <<rec, life, granted, recorded, known>>
                     /\ pc' = [pc EXCEPT ![self] = "Await"]
                     /\ UNCHANGED <<reply, told, tok, word, got>>
                  \/ /\ known' = [known EXCEPT ![self] = Nothing]
                     /\ tok' = [tok EXCEPT ![self] = 0]
                     /\ word' = [word EXCEPT ![self] = ""]
                     /\ got' = [got EXCEPT ![self] = 0]
                     /\ reply' = [reply EXCEPT ![self] = 0]
                     /\ pc' = [pc EXCEPT ![self] = "Done"]
                     /\ UNCHANGED <<rec, pending, lostAnswers, renewals, life, granted, recorded, told>>
               /\ UNCHANGED << floor, flight, effects, staleHolder, asked, 
                               found >>

Settle(self) == /\ pc[self] = "Settle"
                /\ LET ruling == OnWord(known[self], self, tok[self], word[self], got[self]) IN
                     LET w == Write(known[self].rev, ruling.to, tok[self]) IN
                       \/ /\ IF ~ruling.become
                                THEN /\ IF word[self] = "complete" /\ ruling.answer = "superseded"
                                           THEN /\ pc' = [pc EXCEPT ![self] = "Overtaken"]
                                                /\ UNCHANGED << reply, known, 
                                                                tok, word, got >>
                                           ELSE /\ IF word[self] = "complete"
                                                      THEN /\ pc' = [pc EXCEPT ![self] = "Accepted"]
                                                           /\ UNCHANGED << reply, 
                                                                           known, 
                                                                           tok, 
                                                                           word, 
                                                                           got >>
                                                      ELSE /\ known' = [known EXCEPT ![self] = Nothing]
                                                           /\ tok' = [tok EXCEPT ![self] = 0]
                                                           /\ word' = [word EXCEPT ![self] = ""]
                                                           /\ got' = [got EXCEPT ![self] = 0]
                                                           /\ reply' = [reply EXCEPT ![self] = 0]
                                                           /\ pc' = [pc EXCEPT ![self] = "Done"]
                                     /\ UNCHANGED << rec, life, granted, 
                                                     recorded >>
                                ELSE /\ IF ~Fits(w)
                                           THEN /\ known' = [known EXCEPT ![self] = rec]
                                                /\ pc' = [pc EXCEPT ![self] = "Settle"]
                                                /\ UNCHANGED << rec, reply, 
                                                                life, granted, 
                                                                recorded, tok, 
                                                                word, got >>
                                           ELSE /\ LET to == Landed(w) IN
                                                     LET anew == rec.st \in {"none", "gone"} IN
                                                       /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                                             THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                                             ELSE /\ TRUE
                                                                  /\ UNCHANGED granted
                                                       /\ IF anew
                                                             THEN /\ life' = life + 1
                                                             ELSE /\ TRUE
                                                                  /\ life' = life
                                                       /\ IF to.st = "done"
                                                             THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> w.word]})
                                                             ELSE /\ TRUE
                                                                  /\ UNCHANGED recorded
                                                       /\ rec' = to
                                                /\ IF word[self] = "complete"
                                                      THEN /\ pc' = [pc EXCEPT ![self] = "Accepted"]
                                                           /\ UNCHANGED << reply, 
                                                                           known, 
                                                                           tok, 
                                                                           word, 
                                                                           got >>
                                                      ELSE /\ known' = [known EXCEPT ![self] = Nothing]
                                                           /\ tok' = [tok EXCEPT ![self] = 0]
                                                           /\ word' = [word EXCEPT ![self] = ""]
                                                           /\ got' = [got EXCEPT ![self] = 0]
                                                           /\ reply' = [reply EXCEPT ![self] = 0]
                                                           /\ pc' = [pc EXCEPT ![self] = "Done"]
                          /\ UNCHANGED <<pending, lostAnswers>>
                       \/ /\ ruling.become
                          /\ lostAnswers < LostAnswers
                          /\ lostAnswers' = lostAnswers + 1
                          /\ pending' = (pending \union {w})
                          /\ IF Broken("unknown is read back") /\ word[self] = "complete"
                                THEN /\ pc' = [pc EXCEPT ![self] = "Accepted"]
                                ELSE /\ pc' = [pc EXCEPT ![self] = "Look"]
                          /\ UNCHANGED <<rec, reply, life, granted, recorded, known, tok, word, got>>
                       \/ /\ known' = [known EXCEPT ![self] = Nothing]
                          /\ tok' = [tok EXCEPT ![self] = 0]
                          /\ word' = [word EXCEPT ![self] = ""]
                          /\ got' = [got EXCEPT ![self] = 0]
                          /\ reply' = [reply EXCEPT ![self] = 0]
                          /\ pc' = [pc EXCEPT ![self] = "Done"]
                          /\ UNCHANGED <<rec, pending, lostAnswers, life, granted, recorded>>
                /\ UNCHANGED << floor, flight, effects, renewals, told, 
                                staleHolder, asked, found >>

Look(self) == /\ pc[self] = "Look"
              /\ known' = [known EXCEPT ![self] = rec]
              /\ pc' = [pc EXCEPT ![self] = "Settle"]
              /\ UNCHANGED << rec, floor, pending, flight, effects, reply, 
                              lostAnswers, renewals, life, granted, recorded, 
                              told, staleHolder, tok, word, got, asked, found >>

Accepted(self) == /\ pc[self] = "Accepted"
                  /\ told' = (told \union {[out |-> got[self], fp |-> Payload(self)]})
                  /\ known' = [known EXCEPT ![self] = Nothing]
                  /\ tok' = [tok EXCEPT ![self] = 0]
                  /\ word' = [word EXCEPT ![self] = ""]
                  /\ got' = [got EXCEPT ![self] = 0]
                  /\ reply' = [reply EXCEPT ![self] = 0]
                  /\ pc' = [pc EXCEPT ![self] = "Done"]
                  /\ UNCHANGED << rec, floor, pending, flight, effects, 
                                  lostAnswers, renewals, life, granted, 
                                  recorded, staleHolder, asked, found >>

Overtaken(self) == /\ pc[self] = "Overtaken"
                   /\ IF rec.st = "done" /\ (rec.fp = Payload(self) \/ Broken("overtaken checks the payload"))
                         THEN /\ told' = (told \union {[out |-> (rec.out), fp |-> Payload(self)]})
                         ELSE /\ TRUE
                              /\ told' = told
                   /\ known' = [known EXCEPT ![self] = Nothing]
                   /\ tok' = [tok EXCEPT ![self] = 0]
                   /\ word' = [word EXCEPT ![self] = ""]
                   /\ got' = [got EXCEPT ![self] = 0]
                   /\ reply' = [reply EXCEPT ![self] = 0]
                   /\ pc' = [pc EXCEPT ![self] = "Done"]
                   /\ UNCHANGED << rec, floor, pending, flight, effects, 
                                   lostAnswers, renewals, life, granted, 
                                   recorded, staleHolder, asked, found >>

attempt(self) == Claim(self) \/ Swap(self) \/ Disown(self) \/ Send(self)
                    \/ Await(self) \/ Settle(self) \/ Look(self)
                    \/ Accepted(self) \/ Overtaken(self)

Serve == /\ pc["upstream"] = "Serve"
         /\ \E t \in flight:
              LET waits == pc[HolderOf(t)] = "Await" IN
                /\ flight' = flight \ {t}
                /\ \/ /\ IF FencedUpstream /\ \E e \in Range(effects) : e > t
                            THEN /\ staleHolder' = (staleHolder \/ (rec.st = "held" /\ rec.tok = t))
                                 /\ reply' = [reply EXCEPT ![HolderOf(t)] = IF waits THEN Refusal(t) ELSE 0]
                                 /\ UNCHANGED effects
                            ELSE /\ effects' = Append(effects, t)
                                 /\ reply' = [reply EXCEPT ![HolderOf(t)] = IF waits THEN t ELSE 0]
                                 /\ UNCHANGED staleHolder
                   \/ /\ reply' = [reply EXCEPT ![HolderOf(t)] = IF waits THEN -1 ELSE 0]
                      /\ UNCHANGED <<effects, staleHolder>>
         /\ pc' = [pc EXCEPT !["upstream"] = "Serve"]
         /\ UNCHANGED << rec, floor, pending, lostAnswers, renewals, life, 
                         granted, recorded, told, known, tok, word, got, asked, 
                         found >>

upstream == Serve

Apply == /\ pc["store"] = "Apply"
         /\ \E w \in pending:
              /\ pending' = pending \ {w}
              /\ \/ /\ Fits(w)
                    /\ LET to == Landed(w) IN
                         LET anew == rec.st \in {"none", "gone"} IN
                           /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                 THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                 ELSE /\ TRUE
                                      /\ UNCHANGED granted
                           /\ IF anew
                                 THEN /\ life' = life + 1
                                 ELSE /\ TRUE
                                      /\ life' = life
                           /\ IF to.st = "done"
                                 THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> w.word]})
                                 ELSE /\ TRUE
                                      /\ UNCHANGED recorded
                           /\ rec' = to
                 \/ /\ TRUE
                    /\ UNCHANGED <<rec, life, granted, recorded>>
         /\ pc' = [pc EXCEPT !["store"] = "Apply"]
         /\ UNCHANGED << floor, flight, effects, reply, lostAnswers, renewals, 
                         told, staleHolder, known, tok, word, got, asked, 
                         found >>

store == Apply

RunOut == /\ pc["lease"] = "RunOut"
          /\ rec.st = "held" /\ rec.live
          /\ rec' = [rec EXCEPT !.live = FALSE]
          /\ pc' = [pc EXCEPT !["lease"] = "RunOut"]
          /\ UNCHANGED << floor, pending, flight, effects, reply, lostAnswers, 
                          renewals, life, granted, recorded, told, staleHolder, 
                          known, tok, word, got, asked, found >>

lease == RunOut

FellSilent == /\ pc["watch"] = "FellSilent"
              /\ Again # Attempts /\ rec.st = "held" /\ ~rec.live /\ ~Broken("silence is watched")
              /\ LET to == Landed((Write(rec.rev, Becomes(rec, "doubt"), 0))) IN
                   LET anew == rec.st \in {"none", "gone"} IN
                     /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                           THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                           ELSE /\ TRUE
                                /\ UNCHANGED granted
                     /\ IF anew
                           THEN /\ life' = life + 1
                           ELSE /\ TRUE
                                /\ life' = life
                     /\ IF to.st = "done"
                           THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Becomes(rec, "doubt"), 0)).word]})
                           ELSE /\ TRUE
                                /\ UNCHANGED recorded
                     /\ rec' = to
              /\ pc' = [pc EXCEPT !["watch"] = "FellSilent"]
              /\ UNCHANGED << floor, pending, flight, effects, reply, 
                              lostAnswers, renewals, told, staleHolder, known, 
                              tok, word, got, asked, found >>

watch == FellSilent

Ask(self) == /\ pc[self] = "Ask"
             /\ rec.st = "doubt" /\ (AfterIsOver \/ Broken("probe after the flight"))
             /\ ~(OneGateway /\ AtWork(rec.holder)) \/ Broken("no probe while at work")
             /\ asked' = [asked EXCEPT ![self] = Becomes(rec, "doubt")]
             /\ LET to == Landed((Write(rec.rev, Becomes(rec, "doubt"), 0))) IN
                  LET anew == rec.st \in {"none", "gone"} IN
                    /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                          THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                          ELSE /\ TRUE
                               /\ UNCHANGED granted
                    /\ IF anew
                          THEN /\ life' = life + 1
                          ELSE /\ TRUE
                               /\ life' = life
                    /\ IF to.st = "done"
                          THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Becomes(rec, "doubt"), 0)).word]})
                          ELSE /\ TRUE
                               /\ UNCHANGED recorded
                    /\ rec' = to
             /\ \/ /\ found' = [found EXCEPT ![self] = Known(IF Broken("probe knows lives apart") THEN Range(effects) ELSE Happened)]
                \/ /\ found' = [found EXCEPT ![self] = -1]
             /\ pc' = [pc EXCEPT ![self] = "Find"]
             /\ UNCHANGED << floor, pending, flight, effects, reply, 
                             lostAnswers, renewals, told, staleHolder, known, 
                             tok, word, got >>

Find(self) == /\ pc[self] = "Find"
              /\ \/ /\ OnFinding(rec, asked[self], found[self]).become
                    /\ \/ /\ LET to == Landed((Write(rec.rev, OnFinding(rec, asked[self], found[self]).to, rec.tok))) IN
                               LET anew == rec.st \in {"none", "gone"} IN
                                 /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                                       THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                                       ELSE /\ TRUE
                                            /\ UNCHANGED granted
                                 /\ IF anew
                                       THEN /\ life' = life + 1
                                       ELSE /\ TRUE
                                            /\ life' = life
                                 /\ IF to.st = "done"
                                       THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, OnFinding(rec, asked[self], found[self]).to, rec.tok)).word]})
                                       ELSE /\ TRUE
                                            /\ UNCHANGED recorded
                                 /\ rec' = to
                          /\ UNCHANGED <<pending, lostAnswers>>
                       \/ /\ lostAnswers < LostAnswers
                          /\ lostAnswers' = lostAnswers + 1
                          /\ pending' = (pending \union {(Write(rec.rev, OnFinding(rec, asked[self], found[self]).to, rec.tok))})
                          /\ UNCHANGED <<rec, life, granted, recorded>>
                 \/ /\ TRUE
                    /\ UNCHANGED <<rec, pending, lostAnswers, life, granted, recorded>>
              /\ asked' = [asked EXCEPT ![self] = Nothing]
              /\ found' = [found EXCEPT ![self] = 0]
              /\ pc' = [pc EXCEPT ![self] = "Done"]
              /\ UNCHANGED << floor, flight, effects, reply, renewals, told, 
                              staleHolder, known, tok, word, got >>

prober(self) == Ask(self) \/ Find(self)

Resolve == /\ pc["operator"] = "Resolve"
           /\ Operator
           /\ \/ /\ rec.st = "doubt" /\ Happened # {}
                 /\ LET to == Landed((Write(rec.rev, DoneWith(rec, -rec.tok), rec.tok))) IN
                      LET anew == rec.st \in {"none", "gone"} IN
                        /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                              THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                              ELSE /\ TRUE
                                   /\ UNCHANGED granted
                        /\ IF anew
                              THEN /\ life' = life + 1
                              ELSE /\ TRUE
                                   /\ life' = life
                        /\ IF to.st = "done"
                              THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, DoneWith(rec, -rec.tok), rec.tok)).word]})
                              ELSE /\ TRUE
                                   /\ UNCHANGED recorded
                        /\ rec' = to
              \/ /\ rec.st = "doubt" /\ Happened = {} /\ flight = {}
                 /\ LET to == Landed((Write(rec.rev, Becomes(rec, "free"), 0))) IN
                      LET anew == rec.st \in {"none", "gone"} IN
                        /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                              THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                              ELSE /\ TRUE
                                   /\ UNCHANGED granted
                        /\ IF anew
                              THEN /\ life' = life + 1
                              ELSE /\ TRUE
                                   /\ life' = life
                        /\ IF to.st = "done"
                              THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Becomes(rec, "free"), 0)).word]})
                              ELSE /\ TRUE
                                   /\ UNCHANGED recorded
                        /\ rec' = to
              \/ /\ Broken("no force") /\ rec.st = "held"
                 /\ LET to == Landed((Write(rec.rev, Becomes(rec, "free"), 0))) IN
                      LET anew == rec.st \in {"none", "gone"} IN
                        /\ IF to.st = "held" /\ (anew \/ to.tok # rec.tok)
                              THEN /\ granted' = Append(granted, [tok |-> to.tok, by |-> to.holder, life |-> life + IF anew THEN 1 ELSE 0])
                              ELSE /\ TRUE
                                   /\ UNCHANGED granted
                        /\ IF anew
                              THEN /\ life' = life + 1
                              ELSE /\ TRUE
                                   /\ life' = life
                        /\ IF to.st = "done"
                              THEN /\ recorded' = (recorded \union {[out |-> to.out, life |-> life', tok |-> rec.tok, word |-> (Write(rec.rev, Becomes(rec, "free"), 0)).word]})
                              ELSE /\ TRUE
                                   /\ UNCHANGED recorded
                        /\ rec' = to
           /\ pc' = [pc EXCEPT !["operator"] = "Resolve"]
           /\ UNCHANGED << floor, pending, flight, effects, reply, lostAnswers, 
                           renewals, told, staleHolder, known, tok, word, got, 
                           asked, found >>

operator == Resolve

Forget == /\ pc["time"] = "Forget"
          /\ \/ /\ rec.st = "done" /\ life < Lives
                /\ rec' = [rec EXCEPT !.st = "spent",
                                      !.out = 0]
                /\ floor' = floor
             \/ /\ rec.st \in {"spent", "free"} /\ life < Lives
                /\ rec' = [rec EXCEPT !.st = "gone"]
                /\ floor' = floor
             \/ /\ rec.st = "gone"
                /\ floor' = rec.rev
                /\ rec' = Nothing
          /\ pc' = [pc EXCEPT !["time"] = "Forget"]
          /\ UNCHANGED << pending, flight, effects, reply, lostAnswers, 
                          renewals, life, granted, recorded, told, staleHolder, 
                          known, tok, word, got, asked, found >>

time == Forget

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == upstream \/ store \/ lease \/ watch \/ operator \/ time
           \/ (\E self \in Attempts: attempt(self))
           \/ (\E self \in Probers: prober(self))
           \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Attempts : WF_vars(attempt(self))
        /\ WF_vars(upstream)
        /\ WF_vars(store)
        /\ WF_vars(lease)
        /\ WF_vars(watch)
        /\ \A self \in Probers : WF_vars(prober(self))

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
==============================================================================
