import fc from 'fast-check';

// No shrinking: one failing seed is enough.
fc.configureGlobal({ endOnFailure: true });
