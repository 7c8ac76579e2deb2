import { Type, type Static } from 'typebox';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, Issn, MAX_LENGTHS, nullable, text, optionalText } from './fields.ts';

/** A periodical (docs/rules.md § 20); its ISSNs in their dashed form. */
export const Revue = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  issn: nullable(Issn),
  secondIssn: nullable(Issn),
});
export type Revue = Static<typeof Revue>;

export const RevueSaisie = Type.Object({
  titre: text(MAX_LENGTHS.titre),
  issn: optionalText(MAX_LENGTHS.code),
  secondIssn: optionalText(MAX_LENGTHS.code),
});
export type RevueSaisie = Static<typeof RevueSaisie>;

/** The first one first. */
export const issnsOf = ({ issn, secondIssn }: Pick<Revue, 'issn' | 'secondIssn'>): string[] =>
  [issn, secondIssn].filter((each) => each !== null);

export const listerRevues = endpoint({
  method: 'GET',
  path: '/api/revues',
  summary: 'Toutes les revues, par titre.',
  response: Type.Array(Revue),
});

export const lireRevue = endpoint({
  ...onRecord('revues'),
  method: 'GET',
  summary: 'Une revue.',
  response: Revue,
});

export const ajouterRevue = endpoint({
  method: 'POST',
  path: '/api/revues',
  record: { collection: 'revues' },
  modification: {
    operation: 'ajouterRevue',
    message: (changes) => {
      // A known periodical may only have got an ISSN.
      const isNew = changes.rows('Revue')[0]?.avant === null;
      return { fait: isNew ? 'revueAjoutee' : 'revueModifiee', nom: changes.name('revues') };
    },
  },
  summary: 'Trouve la revue par l’un de ses ISSN, sinon par son titre, ou la crée (201).',
  body: RevueSaisie,
  response: Revue,
  also: [201],
});

export const modifierRevue = endpoint({
  ...onRecord('revues'),
  method: 'PUT',
  modification: { operation: 'modifierRevue', message: 'revueModifiee' },
  summary: 'Récrit une revue.',
  body: RevueSaisie,
  response: Revue,
});

export const supprimerRevue = endpoint({
  ...onRecord('revues'),
  method: 'DELETE',
  modification: {
    operation: 'supprimerRevue',
    message: (changes) => {
      const nom = changes.deleted('revues');
      const { length: numeros } = changes.rows('Numero');
      return numeros > 0
        ? { fait: 'revueEtNumerosSupprimes', nom, numeros }
        : { fait: 'revueSupprimee', nom };
    },
  },
  summary: 'Supprime une revue et ses numéros.',
});
