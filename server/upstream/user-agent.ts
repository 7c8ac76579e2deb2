import application from '../../package.json' with { type: 'json' };

/**
 * How the service names itself to other sites, with a contact: Open Library serves those who give
 * one better. ASCII, since a header is bytes and the sources' filters are old.
 */
export function userAgent(): string {
  const { name, version, homepage, author } = application;
  const product = `${name.charAt(0).toUpperCase()}${name.slice(1)}/${version}`;
  return `${product} (${homepage}; ${author.email})`.replace(/[^\x20-\x7e]/gu, '');
}
