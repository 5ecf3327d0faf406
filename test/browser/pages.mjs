// The pages that are tested. Each has its name; the arguments of the restamp
// that writes it; a word that finds some of its items; the id of something that
// a link opens; and, if need be, what else to try on it.
export const pages = [];
