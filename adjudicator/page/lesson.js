export const lesson = { says: () => null, dock: () => null };
