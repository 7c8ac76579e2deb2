/**
 * Awaits long silent work, and prints every few seconds how long it has been running. Plain JavaScript: the launcher
 * runs it on any Node.
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
