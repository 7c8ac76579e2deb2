import fc from 'fast-check';

// That a seed fails is enough: the shortest story is not looked for.
fc.configureGlobal({ endOnFailure: true });
