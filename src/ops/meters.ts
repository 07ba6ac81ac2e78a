// Every meter there is, found by route and model. Labels are bounded here, by construction:
// models are those of the catalog, routes are patterns, and whatever else arrives is `other`.

import { ModelTotals, PairMeter, type RouteMeter, RouteTotals } from "./route-meter.ts";

export interface Meters {
  meter(route: string, model: string): RouteMeter;
  pairs(): readonly PairMeter[];
  routes(): Iterable<RouteTotals>;
  models(): Iterable<ModelTotals>;
}

const OTHER = "other";
/** More than the house has; a path passed by mistake instead of its pattern stops here. */
const MOST_ROUTES = 64;

export function createMeters(catalog: Iterable<string>): Meters {
  const known = new Set(catalog);
  const routes = new Map<string, RouteTotals>();
  const models = new Map<string, ModelTotals>();
  const meters = new Map<string, Map<string, PairMeter>>();

  function bounded(givenRoute: string, givenModel: string): PairMeter {
    const full = !routes.has(givenRoute) && routes.size >= MOST_ROUTES;
    const route = full ? OTHER : givenRoute;
    const model = givenModel === "" || known.has(givenModel) ? givenModel : OTHER;
    const ofRoute = entry(routes, route, () => new RouteTotals(route));
    // A request that names no model has nothing to say about one.
    const ofModel =
      model === "" ? new ModelTotals("") : entry(models, model, () => new ModelTotals(model));
    const byModel = entry(meters, route, () => new Map<string, PairMeter>());
    return entry(byModel, model, () => new PairMeter(ofRoute, ofModel, { route, model }));
  }

  return {
    meter: (route, model) => meters.get(route)?.get(model) ?? bounded(route, model),
    pairs: () => [...meters.values()].flatMap((byModel) => [...byModel.values()]),
    routes: () => routes.values(),
    models: () => models.values(),
  };
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
