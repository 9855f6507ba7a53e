// Nothing: the test programs share the precompiled headers of this file's target.
