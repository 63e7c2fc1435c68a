Page.go("home");
