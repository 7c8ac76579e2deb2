import { CALLER } from './load.ts';

const SERIES = 500;
const VOLUMES = 6;
const REVUES = 40;
const NUMEROS = 50;
const SOUHAITS = 300;

/** Adds 500 series, 2,000 issues and 300 wishes, as in a well-kept household. */
export async function addTheRest(url: string): Promise<void> {
  const send = async (path: string, body: object): Promise<{ id: number }> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { SSO_USER: CALLER, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as { id: number };
  };
  const numbers = (upTo: number) => Array.from({ length: upTo }, (_, i) => i + 1);
  await several(numbers(SERIES), (n) =>
    send('/api/series', {
      titre: `Série ${n}`,
      places: numbers(VOLUMES).map((v) => ({ titre: `Série ${n}, tome ${v}`, numero: `${v}` })),
    }),
  );
  await several(numbers(REVUES), async (n) => {
    const { id } = await send('/api/revues', { titre: `Revue ${n}` });
    for (const v of numbers(NUMEROS))
      await send(`/api/revues/${id}/numeros`, {
        numero: `${v}`,
        une: `À la une du numéro ${v}`,
        themes: [`Thème ${v % 12}`],
        articles: [`Premier article du numéro ${v}`, `Second article du numéro ${v}`],
      });
  });
  await several(numbers(SOUHAITS), (n) =>
    send('/api/souhaits', { titre: `Souhait ${n}`, auteur: `Auteur ${n % 80}` }),
  );
}

/** The number of concurrent requests, so that one that waits for the disk does not delay all. */
const AT_ONCE = 8;

async function several(all: readonly number[], work: (n: number) => Promise<unknown>) {
  const waiting = [...all];
  const one = async (): Promise<void> => {
    for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) await work(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
