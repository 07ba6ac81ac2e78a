// The formats a grammar can keep, as patterns: days exist, hours end at 23. A format that is not
// here is a plain string, as the standard allows.

const DAY =
  "(((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))|((0[469]|11)-(0[1-9]|[12][0-9]|30))|(02-(0[1-9]|1[0-9]|2[0-8])))";
const DATE = `[12][0-9]{3}-${DAY}`;
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?";
const ZONE = "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])";
const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const LABEL = "[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?";

const FORMATS: ReadonlyMap<string, string> = new Map([
  ["date", `^${DATE}$`],
  ["time", `^${TIME}${ZONE}$`],
  ["date-time", `^${DATE}T${TIME}${ZONE}$`],
  ["uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"],
  [
    "email",
    `^[A-Za-z0-9][A-Za-z0-9_+-]{0,31}(\\.[A-Za-z0-9_+-]{1,16}){0,3}@${LABEL}(\\.${LABEL}){0,2}\\.[a-z]{2,12}$`,
  ],
  ["ipv4", `^${OCTET}(\\.${OCTET}){3}$`],
]);

export const patternOfFormat = (format: unknown): string | undefined =>
  typeof format === "string" ? FORMATS.get(format) : undefined;
