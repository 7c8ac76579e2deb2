import type { CollectionName } from '#shared/collection-names';
import { MAX_LIMIT, type ChangePage } from '#shared/replication';
import { CALLER } from './load.ts';
import type { Documents } from '../page/bench.ts';

export async function fetchDocuments(url: string): Promise<Documents> {
  const all: Partial<Record<CollectionName, { id: number }[]>> = {};
  let page = await pull(url, '');
  for (;;) {
    for (const { collection, document } of page.changements)
      if (document !== null) (all[collection] ??= []).push(document);
    if (page.complet) return all;
    page = await pull(url, `&epoque=${page.epoque}&revision=${page.revision}`);
  }
}

async function pull(url: string, from: string): Promise<ChangePage> {
  const path = `/api/replication?limite=${MAX_LIMIT}${from}`;
  const response = await fetch(url + path, { headers: { SSO_USER: CALLER } });
  return (await response.json()) as ChangePage;
}

const REST = /"revision":(\d+),"complet":(true|false),"epoque":"([^"]*)"[^\]]*}$/;

/**
 * Reads the next checkpoint from the end of a page's text; `null` after the last page. Parsing two hundred replicas
 * would dominate the measurement.
 */
export function nextAfter(page: string): string | null {
  const [, revision, complet, epoque] = REST.exec(page.slice(-1000)) ?? [];
  if (complet === undefined) throw new Error('no page of a copy');
  return complet === 'true' ? null : `&epoque=${epoque ?? ''}&revision=${revision ?? ''}`;
}
