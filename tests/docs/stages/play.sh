# What happens behind docs/play.md; see test_transcripts.py.

# Carl, who hosts by mail and by git, and what carries the mails: folders in the place of servers.
mail_begins() {
    mkdir -p post/in/new post/in/cur post/in/tmp mail/alice mail/bob host && cd host
    host() { (cd $HOME/host && ADJUDICATOR_MAIL_ADDRESS=referee@example.org ADJUDICATOR_MAIL_IN=maildir:$HOME/post/in ADJUDICATOR_MAIL_OUT=maildir:$HOME/post/out adjudicator "$@"); }
    send() { cp "$1" "$HOME/post/in/new/$RANDOM$RANDOM.$(basename "$1")"; host sync --quiet; }
    arrives() { for one in $(ls -t -d $HOME/post/out/new/* | xargs grep -l "^To: $1@"); do if grep -q "^Subject: .*$2" "$one"; then mv "$one" "$3"; return; fi; done; return 1; }
    for who in carl alice bob; do ssh-keygen -q -t ed25519 -N '' -f $HOME/$who.key; done
    host invite sugar-dog alice@example.org bob@example.org --key $HOME/carl.key --option first=alice --option press=private --option absence=7d -o friday > /dev/null
    host sync --quiet
    cd ~/mail/bob; arrives bob invited invitation.eml
    adjudicator join invitation.eml --name bob --key ~/bob.key --address bob@example.org > /dev/null
    cd ../alice; arrives alice invited invitation.eml
}

joined() {
    send friday-alice-join.eml; send ../bob/friday-bob-join.eml
    arrives alice 'entry 0' first.eml; arrives bob 'entry 0' ../bob/first.eml
    (cd ../bob && adjudicator take first.eml && adjudicator play start C1) > /dev/null
}

ordered() {
    send friday-alice-0001-1.eml; send ../bob/friday-bob-0001-1.eml
    arrives alice 'your orders are' receipt.eml; arrives alice 'entry 1' next.eml
}

mailbox() {
    mkdir -p inbox/new inbox/cur inbox/tmp
    adjudicator config mail-in maildir:$HOME/mail/alice/inbox > /dev/null
    adjudicator config mail-out maildir:$HOME/mail/alice/sent > /dev/null
}

git_begins() {
    mkdir -p ~/none ~/git/carl ~/git/alice ~/git/bob && cd ~/git && export XDG_CONFIG_HOME=$HOME/none
    git init --quiet --bare --initial-branch=main friday.git
    adjudicator invite sugar-dog --key ~/carl.key --option first=alice -o carl/friday > /dev/null
    adjudicator invite --git friday.git -g carl/friday > /dev/null
    adjudicator join friday.git --name bob --key ~/bob.key -o bob/friday > /dev/null
}

git_started() {
    carl() { adjudicator sync -g carl/friday; } > /dev/null
    carl; adjudicator start alice bob -g carl/friday > /dev/null
}

git_synced() {
    carl
}
