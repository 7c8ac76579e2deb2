import { goodreads } from '../importations/samples.ts';
import type { House } from '../support/house.ts';
import { png } from '../support/png.ts';
import type { random } from '../support/random.ts';
import { doAct, KINDS, PEOPLE } from '../modifications/support/acts.ts';

type Chance = ReturnType<typeof random>;

/** Sends any write: a person's, an undo, an import, or an uploaded cover. */
export async function writeSomething(house: House, chance: Chance): Promise<void> {
  const { integer, oneOf } = chance;
  const kind = integer(KINDS + 12);
  if (kind < KINDS) {
    const [a, b, c] = [integer(8), integer(8), integer(8)];
    await doAct(house, { kind, who: oneOf(PEOPLE), a, b, c });
  } else if (kind < KINDS + 5) await undoSomething(house, chance);
  else if (kind < KINDS + 8) await importFile(house, `Trouvé ${String(integer(1000))}`, 5);
  else await coverSomething(house, chance);
}

async function undoSomething(house: House, { integer }: Chance): Promise<void> {
  const acts = (await house.ask('ana', 'GET', '/api/modifications?limite=10')).body as {
    id: number;
  }[];
  const id = acts[integer(acts.length)]?.id ?? 0;
  await house.ask('ana', 'POST', `/api/modifications/${String(id)}/annulation`);
}

/** Imports books of a series. */
export async function importFile(house: House, titre: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    Title: `${titre} ${String(n)} (Suite ${String(n % 5)}, #${String(n)})`,
    Author: `Prénom${String(n % 7)} Nom${String(n)}`,
    'Exclusive Shelf': 'read',
  }));
  await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: house.headersOf('ana'),
    body: goodreads(...rows),
  }).then((response) => response.arrayBuffer());
}

async function coverSomething(house: House, { integer, oneOf }: Chance): Promise<void> {
  const kind = oneOf(['livres', 'souhaits']);
  const grey = new Uint8Array(60 * 90).fill(integer(256));
  await fetch(`${house.url}/api/${kind}/${String(1 + integer(4))}/couverture`, {
    method: integer(4) === 0 ? 'DELETE' : 'PUT',
    headers: { ...house.headersOf('ana'), 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(png({ width: 60, height: 90, pixels: grey })),
  }).then((response) => response.arrayBuffer());
}
