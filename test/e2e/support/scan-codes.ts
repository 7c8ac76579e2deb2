import { ean13CheckDigit } from '#shared/codes';
import { householdWithCatalogues } from './recherche.ts';

/** Valid codes that the simulated catalogues know as one book each. */
export const codesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const digits = `97820900${String(i).padStart(4, '0')}`;
    return digits + ean13CheckDigit(digits);
  });

/** A household whose catalogues know one edition of each code, and answer after a delay. */
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
