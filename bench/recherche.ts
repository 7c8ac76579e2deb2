import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/context';
import { jouerAmont } from '../demo/upstream/serveur.ts';

const TOURS = 30;

/** Milliseconds that each outside request takes of its own accord. */
const DELAI = 50;

/** A code of each kind: known to both sources, by its ISBN-10, to Open Library alone, a serial's. */
const CODES = ['9782948012048', '9782948012031', '9782948012185', '9772917044002'];

/**
 * From a scan to what fills the form: the answer's time beside the sum of the source's own delays,
 * which no cascade of questions can be quicker than. Aim: under 20 ms added.
 */
export async function benchRecherche(): Promise<void> {
  const dossier = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const amont = await jouerAmont({ delai: DELAI });
  const config = readConfig({
    DATABASE_PATH: join(dossier, 'bibliotheque.sqlite'),
    LOG_LEVEL: 'silent',
    BNF_SRU_URL: amont.bnfSruUrl,
    OPEN_LIBRARY_URL: amont.openLibraryUrl,
  });
  const context = openContext(config);
  const app = await createApp(context);
  try {
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    console.log(`\nRecherche par code, ${String(DELAI)} ms par réponse des sources`);
    for (const code of CODES) await dire(base, code, amont.attentes);
  } finally {
    await app.close();
    context.base.close();
    await amont.close();
    rmSync(dossier, { recursive: true });
  }
}

async function dire(base: string, code: string, attentes: readonly number[]): Promise<void> {
  const ajouts: number[] = [];
  const totaux: number[] = [];
  for (let tour = 0; tour <= TOURS; tour++) {
    const avant = attentes.length;
    const debut = performance.now();
    await (await fetch(`${base}/api/recherche-isbn/${code}`)).json();
    const total = performance.now() - debut;
    if (tour === 0) continue; // opens the connections
    totaux.push(total);
    ajouts.push(total - attentes.slice(avant).reduce((somme, attente) => somme + attente, 0));
  }
  const [ajout, pire, total] = [
    quantile(ajouts, 0.5),
    quantile(ajouts, 0.95),
    quantile(totaux, 0.5),
  ];
  console.log(
    `  ${code} : ${total.toFixed(0)} ms, dont ${ajout.toFixed(1)} ms ajoutées (95 % : ${pire.toFixed(1)} ms)`,
  );
}

const quantile = (valeurs: number[], part: number): number =>
  valeurs.sort((a, b) => a - b)[Math.floor((valeurs.length - 1) * part)] ?? NaN;
