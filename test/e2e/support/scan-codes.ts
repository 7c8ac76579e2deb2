import { ean13CheckDigit } from '#shared/codes';
import { householdWithCatalogues } from './recherche.ts';

/** Codes that no catalogue of ours holds a record for; each is answered as a book of one record. */
export const codesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const digits = `97820900${String(i).padStart(4, '0')}`;
    return digits + ean13CheckDigit(digits);
  });

/** Catalogues that know every code of a pile, by its one edition, and take their time. */
export const householdKnowingAllCodes = (delayMs: number) =>
  householdWithCatalogues({
    delayMs,
    intercept: (_request, response, url) => {
      const isbn = /^\/isbn\/(97820900\d{5})/.exec(url.pathname)?.[1];
      if (isbn === undefined) return false;
      const content = { title: `Volume ${isbn}`, publishers: ['Météores'], publish_date: '2020' };
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify({ key: `/books/OL${isbn}M`, type: { key: '/type/edition' }, ...content }),
        );
      return true;
    },
  });
