// Tests check JSON with this part of JSON Schema, which report.schema.json and vectors.schema.json use.
#ifndef TANDEM_CONFORMANCE_VECTORS_JSON_SCHEMA_TESTING_H_
#define TANDEM_CONFORMANCE_VECTORS_JSON_SCHEMA_TESTING_H_

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tandem::conformance {

class JsonSchema {
 public:
  explicit JsonSchema(const nlohmann::json& schema) : root_(schema) {}

  // Returns the violations in `value`, one line each.
  std::vector<std::string> Violations(const nlohmann::json& value) {
    violations_.clear();
    Check(root_, value, "$");
    return violations_;
  }

 private:
  using Json = nlohmann::json;

  static bool HasType(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
  }

  void Complain(const std::string& where, const std::string& what) { violations_.push_back(where + ": " + what); }

  void CheckObject(const Json& schema, const Json& value, const std::string& where) {
    for (const Json& name : schema.value("required", Json::array())) {
      if (!value.contains(name)) Complain(where, "lacks " + name.dump());
    }
    const Json& properties = schema.value("properties", Json::object());
    const Json additional = schema.value("additionalProperties", Json(true));
    for (const auto& [name, member] : value.items()) {
      const std::string at = where + "." + name;
      if (properties.contains(name)) {
        Check(properties[name], member, at);
      } else if (additional.is_object()) {
        Check(additional, member, at);
      } else if (additional == Json(false)) {
        Complain(at, "is not in the schema");
      }
    }
  }

  void Check(const Json& schema, const Json& value, const std::string& where) {
    if (schema.contains("$ref")) {
      // The value is "#/definitions/NAME".
      return Check(root_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value, where);
    }
    if (schema.contains("type")) {
      const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
      const bool ok = std::any_of(types.begin(), types.end(),
                                  [&](const Json& type) { return HasType(value, type.get<std::string>()); });
      if (!ok) Complain(where, "is " + value.dump().substr(0, 40) + ", not " + types.dump());
    }
    if (schema.contains("const") && value != schema["const"]) Complain(where, "is not " + schema["const"].dump());
    if (schema.contains("enum")) {
      const Json& values = schema["enum"];
      if (std::find(values.begin(), values.end(), value) == values.end()) Complain(where, value.dump() + " is unknown");
    }
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"]) Complain(where, "is too small");
    if (value.is_object()) CheckObject(schema, value, where);
    if (value.is_array() && schema.contains("items")) {
      for (size_t i = 0; i < value.size(); ++i) {
        Check(schema["items"], value[i], where + "[" + std::to_string(i) + "]");
      }
    }
  }

  const Json root_;
  std::vector<std::string> violations_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_VECTORS_JSON_SCHEMA_TESTING_H_
