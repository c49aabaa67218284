-------------------------------- MODULE Laws --------------------------------
(* What must hold in every state of the model, and what must come about in the end. *)
EXTENDS Semel, TLC

\* Attempts that ask for the same, and were promised the same, may change places.
Alike == Permutations(Again \ Strangers) \union Permutations((Attempts \ Again) \ Strangers)

\* ---- at-most-once ----

\* After an effect whose caller was promised that it happens once, there is none in the same life of the key.
AtMostOneEffect ==
    \A i, j \in 1..Len(effects) :
        i < j /\ LifeOf(effects[i]) = LifeOf(effects[j]) => HolderOf(effects[i]) \in Again

\* ---- both guarantees ----

TokensGrow ==
    \A i, j \in 1..Len(granted) : i < j => granted[i].tok < granted[j].tok

OutcomesNeverChange ==
    \A o, p \in recorded : o.life = p.life => o.out = p.out

\* Whose word it is holds the token that the record has; and what it says is about the effect under that token.
OnlyTheHolderWrites ==
    \A o \in recorded : o.word = o.tok /\ Abs(o.out) = o.tok

AnswersAreRecorded ==
    \A t \in told : \E o \in recorded : o.out = t.out

\* Within its life an outcome goes away by time alone.
NothingToldIsLost ==
    \A t \in told, o \in recorded :
        o.out = t.out /\ o.life = life => \/ rec.st = "done" /\ rec.out = t.out
                                          \/ rec.st \in {"spent", "gone", "none"}

NoStrangerIsServed ==
    \A t \in told : t.fp = Payload(HolderOf(Abs(t.out)))

\* A holder who knows what happened is heard, however late, unless someone was let in since or the outcome is known.
TrueWordsCount ==
    \A a \in Attempts :
        pc[a] = "Settle" /\ word[a] \in {"complete", "release"}
        /\ OnWord(known[a], a, tok[a], word[a], got[a]).answer = "superseded"
        => known[a].tok # tok[a] \/ known[a].st \in {"done", "spent", "gone", "none"}

\* ---- at-least-once, with an upstream that checks tokens ----

EffectsKeepTheOrderOfTokens ==
    FencedUpstream => \A i, j \in 1..Len(effects) : i < j => effects[i] < effects[j]

NoHolderIsStale ==
    ~staleHolder

\* ---- in the end ----

\* At-most-once, whether or not anybody comes for the key: done, free, or in doubt. At-least-once: or to be taken over.
NothingStaysInProgress ==
    IF Again = {} THEN rec.st = "held" ~> rec.st # "held"
    ELSE (rec.st = "held" /\ rec.live) ~> ~(rec.st = "held" /\ rec.live)

EveryAttemptEnds ==
    \A a \in Attempts : <>(pc[a] = "Done")
==============================================================================
