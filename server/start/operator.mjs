/**
 * The operator's language (docs/rules.md § 61): that of the system's messages, otherwise the household's; without either,
 * English for another system language, and the base language for none. Plain JavaScript: the launcher runs it on any
 * Node, before anything is installed.
 *
 * @param env the environment of the process
 * @param known the languages of the messages, the base first
 */
export function operatorLocale(env, known) {
  const wished = languageOf(env.LC_ALL || env.LC_MESSAGES || env.LANG || '');
  const household = (env.LANGUAGE || '').split(/[:,]/).map(languageOf);
  const found = [wished, ...household].find((language) => known.includes(language));
  if (found !== undefined) return found;
  const wishesNone = ['', 'c', 'posix'].includes(wished);
  return !wishesNone && known.includes('en') ? 'en' : known[0];
}

/** `en` of `en_GB.UTF-8`, `en-GB` and `EN@euro`. */
function languageOf(name) {
  return name
    .trim()
    .toLowerCase()
    .split(/[_.@;-]/)[0];
}
