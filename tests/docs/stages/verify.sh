# What happens behind docs/verify.md; see test_transcripts.py.

# Games, played out of sight: between bots, and one in a repository.
played() {
    mkdir -p alice bob league/round-1 league/round-2
    for one in 07 08 09; do adjudicator demo --seed $one --keep played/$one --quiet > /dev/null; done
    adjudicator pack -g played/07/record -o friday.zip > /dev/null; cp friday.zip league/round-1/a.zip
    adjudicator pack -g played/08/record -o league/round-1/b.zip > /dev/null
    cp -r played/09/record league/round-2/c
    git init --quiet --bare --initial-branch=main friday.git
    for one in carl alice bob; do ssh-keygen -q -t ed25519 -N '' -f $one.key > /dev/null; done
    adjudicator invite sugar-dog --key carl.key --option first=alice -o friday > /dev/null
    adjudicator invite --git friday.git > /dev/null
    for one in alice bob; do adjudicator join friday.git --name $one --key $one.key -o $one/friday > /dev/null; done
    adjudicator start alice bob > /dev/null
    orders() { adjudicator sync -g $1/friday && adjudicator play -y "$2" -g $1/friday && adjudicator sync; } > /dev/null
    orders alice "start C4"
    orders bob "start F1"
    orders alice silent
    orders bob resign
}
