/**
 * Awaits long work that says nothing itself, and says every few seconds how long it has gone on. Plain JavaScript:
 * the door of the commands runs it on whatever Node called it.
 */
export async function patiently(sentence, work, { everyMs = 5000, say = console.log } = {}) {
  const began = Date.now();
  say(sentence);
  const timer = setInterval(() => {
    say(`  … ${Math.round((Date.now() - began) / 1000)} s`);
  }, everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
