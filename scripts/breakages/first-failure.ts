import fc from 'fast-check';

// It is enough that a seed fails: the shortest story is not looked for.
fc.configureGlobal({ endOnFailure: true });
