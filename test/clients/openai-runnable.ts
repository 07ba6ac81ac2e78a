// A tool as the `runTools` of every major takes it: with the function that it stands for.

export type WeatherTool = (given: { readonly city: string }) => Promise<string>;

type Runnable = {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: {
      type: "object";
      properties: { city: { type: "string" } };
      required: string[];
    };
    parse: (written: string) => { readonly city: string };
    function: WeatherTool;
  };
};

export const runnable = (tool: WeatherTool): Runnable => ({
  type: "function",
  function: {
    name: "get_weather",
    description: "Weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    parse: JSON.parse,
    function: tool,
  },
});
