import { collectionNames } from '#shared/collections';
import { LIMITE_MAXIMUM, type Jalon } from '#shared/replication';
import { CALLER } from './load.ts';
import type { Documents } from './page-bench.ts';

interface Page {
  documents: { id: number }[];
  jalon: Jalon;
}

/** Everything that a first synchronisation brings, by collection. */
export async function fetchDocuments(url: string): Promise<Documents> {
  const all: Documents = {};
  for (const name of collectionNames) {
    const documents: { id: number }[] = [];
    for (let page = await pull(url, name); ; page = await pull(url, name, page.jalon)) {
      documents.push(...page.documents);
      if (page.documents.length < LIMITE_MAXIMUM) break;
    }
    all[name] = documents;
  }
  return all;
}

async function pull(url: string, name: string, jalon?: Jalon): Promise<Page> {
  const from = jalon ? `&epoque=${jalon.epoque}&revision=${jalon.revision}` : '';
  const path = `/api/replication/${name}?limite=${LIMITE_MAXIMUM}${from}`;
  const response = await fetch(url + path, { headers: { SSO_USER: CALLER } });
  return (await response.json()) as Page;
}
