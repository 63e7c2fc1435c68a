"""All input and output of the core: a record's folder, a pack, single files, the clock."""
