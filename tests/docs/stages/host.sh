# What happens behind docs/host.md; see test_transcripts.py.

# arrives WHO SUBJECT FILE: the newest of that person's mails in $sent with that subject.
arrives() { for one in $(ls -t -d $sent/new/* | xargs grep -l "^To: $1@"); do if grep -q "^Subject: .*$2" "$one"; then mv "$one" "$3"; return; fi; done; return 1; }

mail_begins() {
    cd ~/mail && mkdir -p Maildir/new Maildir/cur Maildir/tmp
    sent=$HOME/mail/sent
    own() { (cd $1 && shift && XDG_CONFIG_HOME=$PWD/none adjudicator "$@"); }
}

joined() {
    for who in alice bob; do
      arrives $who invited $who/invitation.eml
      own $who join invitation.eml --name $who --key ~/$who.key --address $who@example.org > /dev/null
      cp $who/friday-$who-join.eml Maildir/new/$who-join; sleep 0.1; done
}

ordered() {
    for who in alice bob; do
      arrives $who 'entry 0' $who/first.eml; (cd $who && own . take first.eml && own . play "start $([ $who = alice ] && echo A1 || echo F6)") > /dev/null
      cp $who/friday-$who-0001-1.eml Maildir/new/$who-order; sleep 0.1; done
    own bob say "Could we play with 5 days?" --to host > /dev/null; cp bob/friday-bob-letter-*.eml Maildir/new/letter
}

referee_begins() {
    cd ~ && export XDG_CONFIG_HOME=$HOME/none
    mkdir -p games/Maildir/new games/Maildir/cur games/Maildir/tmp ref/alice ref/bob
    writes() { (echo "From: $1@example.org"; echo "Subject: ${3:-hello}"; echo "Message-ID: <$RANDOM$RANDOM@example.org>"; [ -z "$4" ] || grep -i '^Message-ID:' "$4" | sed 's/^Message-ID/In-Reply-To/I' | tr -d '\r'; echo; echo "$2") > games/Maildir/new/$1-$RANDOM; }
    sent=$HOME/games/sent
}

git_joined() {
    for one in alice bob; do adjudicator join friday.git --name $one --key ~/$one.key -o ~/git/$one > /dev/null; done
    turn() { adjudicator sync -g $1 && adjudicator play "$2" -g $1; } > /dev/null
}

git_ordered() {
    turn alice "start C4"; turn bob "start F1"
}

# A game whose host's folders are those of before its first entry.
old_backup() {
    mkdir -p ~/old/alice ~/old/bob ~/old/before && cd ~/old
    adjudicator invite sugar-dog --key ~/carl.key --option first=alice -o friday > /dev/null
    for one in alice bob; do (cd $one && adjudicator join ../friday-invite.txt --name $one --key ~/$one.key && cp friday-$one-join.txt ..) > /dev/null; done
    adjudicator start friday-alice-join.txt friday-bob-join.txt > /dev/null
    cp -a friday friday.host before
    for one in alice bob; do (cd $one && cp ../friday-0000.txt . && adjudicator play "start C4" && cp friday-$one-0001-1.txt ..) > /dev/null; done
    adjudicator sync > /dev/null
    cp friday-0001-alice.txt alice; (cd alice && adjudicator play "fire S" && cp friday-alice-0002-1.txt ..) > /dev/null
    rm -r friday friday.host && cp -a before/* .
}
