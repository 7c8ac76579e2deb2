/**
 * The language of whoever types a command or starts the service, as docs/rules.md § 61 has it: what the system was told
 * of their messages, else the household's, else English for those who wish another language, and the base for those who
 * wish none. Plain JavaScript: the door of the commands runs it on whatever Node called it, before anything is installed.
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
