import type { ExportNumero } from '#shared/export';
import type { Revue } from '#shared/revues';
import { textKey } from '#shared/text';
import type { Restoring } from '#server/plumbing/records/kind';
import { hasNumeros, numeroByKey } from '../store/numeros.ts';
import { revueByIssn } from '../store/revues.ts';
import { ajouterNumero, supprimerNumero } from './numeros.ts';
import { findOrCreateRevue, supprimerRevue } from './revues.ts';

/**
 * A periodical is found by its ISSN or its title, two of one title being two; one that was there may get its ISSN.
 */
export const revueRestoring: Restoring<Revue> = {
  add(database, revues, { idsOf }) {
    const byIssn = (issn: string | null) =>
      issn === null ? undefined : revueByIssn(database, issn);
    const found = new Set(revues.flatMap(({ issn }) => byIssn(issn)?.id ?? []));
    return revues.flatMap(({ id, titre, issn }) => {
      const known = byIssn(issn);
      const { revue, created } = findOrCreateRevue(database, { titre, issn }, found);
      found.add(revue.id);
      idsOf('revues').set(id, revue.id);
      if (created) return { id: revue.id };
      const isGiven = known === undefined && issn !== null && revue.issn === issn;
      return isGiven ? { id: revue.id, given: [{ field: 'issn', value: issn }] } : [];
    });
  },
  remove(database, id) {
    if (!hasNumeros(database, id)) supprimerRevue(database, id);
  },
};

export const numeroRestoring: Restoring<ExportNumero> = {
  add: (database, numeros, { idsOf }) =>
    numeros.flatMap(({ id: _, revueId: exported, couverture, ...saisie }) => {
      const revueId = idsOf('revues').get(exported);
      if (revueId === undefined) return [];
      if (numeroByKey(database, revueId, textKey(saisie.numero)) !== undefined) return [];
      return { id: ajouterNumero(database, revueId, saisie).id, couverture };
    }),
  remove: supprimerNumero,
};
