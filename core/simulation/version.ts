/** Part of every run's cache key: raise it with whatever changes a trajectory. */
export const ENGINE_VERSION = '0.10.0'
