import type { Importation, ImportationLigne } from '#shared/importations';
import type { House } from '../support/house.ts';

type Bytes = string | Buffer;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Importation;
}

/** Sends a file, as a dry run unless the query says otherwise. */
export async function sendFile(
  house: House,
  file: Bytes,
  query: Readonly<Record<string, string>> = {},
  utilisateur: string | null = 'alice',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const parameters = new URLSearchParams(query).toString();
  const response = await fetch(`${house.url}/api/importations?${parameters}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv', ...house.headersOf(utilisateur), ...headers },
    body: typeof file === 'string' ? Buffer.from(file) : new Uint8Array(file),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Importation,
  };
}

/** Imports a file, and returns the import. */
export async function importFile(
  house: House,
  file: Bytes,
  query: Readonly<Record<string, string>> = {},
  utilisateur: string | null = 'alice',
): Promise<Importation> {
  const answer = await sendFile(house, file, { essai: 'false', ...query }, utilisateur);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** The counts of an import, with its refusals and warnings as texts. */
export const countsOf = ({ id: _, refuses, avertissements, perdus, ...rest }: Importation) => ({
  lignes: rest.lignes,
  nouveaux: rest.nouveaux,
  presents: rest.presents,
  souhaits: rest.souhaits,
  statuts: rest.statuts,
  prets: rest.prets,
  series: rest.series,
  refuses: refuses.map(({ ligne, raison }) => `${ligne} ${raison}`),
  avertissements: avertissements.map(({ ligne, raison }) =>
    ligne === null ? raison : `${ligne} ${raison}`,
  ),
  perdus: perdus.map(({ colonne, lignes }) => `${colonne} ${lignes}`),
});

export async function lignesOf(
  house: House,
  id: number,
  query = '',
  utilisateur: string | null = 'alice',
): Promise<ImportationLigne[]> {
  const path = `/api/importations/${id}/lignes${query}`;
  return (await house.ask(utilisateur, 'GET', path)).body as ImportationLigne[];
}

/** The counts of an import without anything but books. */
export const none = {
  nouveaux: 0,
  presents: 0,
  souhaits: 0,
  statuts: 0,
  prets: 0,
  series: 0,
  refuses: [],
  avertissements: [],
  perdus: [],
};
