// SPDX-License-Identifier: GPL-3.0-or-later
// Tetrad as a learner: the algorithms of edu.cmu.tetrad.algcomparison.algorithm.oracle.cpdag by their class, score= and
// test= by theirs, all other options Tetrad's own parameters by name. The jars are those of the variable CLASSPATH.
//     java LearnTetrad.java DATA GRAPH Fges score=BdeuScore priorEquivalentSampleSize=10
import edu.cmu.tetrad.algcomparison.algorithm.Algorithm;
import edu.cmu.tetrad.algcomparison.independence.IndependenceWrapper;
import edu.cmu.tetrad.algcomparison.score.ScoreWrapper;
import edu.cmu.tetrad.algcomparison.utils.TakesIndependenceWrapper;
import edu.cmu.tetrad.algcomparison.utils.UsesScoreWrapper;
import edu.cmu.tetrad.data.*;
import edu.cmu.tetrad.graph.*;
import edu.cmu.tetrad.util.*;
import java.io.*;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

class LearnTetrad {
    static final String ROOT = "edu.cmu.tetrad.algcomparison.";

    static RuntimeException refuse(String sentence) {
        System.err.println("LearnTetrad: " + sentence);
        System.exit(1);
        return new IllegalStateException();
    }

    static Object make(String folder, String name) {
        try {
            return Class.forName(ROOT + folder + "." + name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | NoClassDefFoundError e) {
            throw refuse("Tetrad has no class '" + name + "' in " + ROOT + folder);
        }
    }

    // The rows of a CSV file, quotes as in RFC 4180.
    static List<List<String>> readCsv(Path path) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        String text = Files.readString(path);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                field.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ',' || c == '\n')) {
                row.add(field.toString());
                field.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else {
                field.append(c);
            }
        }
        return rows;
    }

    // States between bars; a bar within one is written \|.
    static List<String> split(String states) {
        List<String> out = new ArrayList<>();
        for (String part : states.split("(?<!\\\\)\\|", -1))
            out.add(part.replace("\\|", "|"));
        return out;
    }

    static DataSet readData(String path) throws IOException {
        List<List<String>> rows = readCsv(Path.of(path));
        List<String> names = rows.get(0);
        Map<String, List<String>> schema = new HashMap<>();
        for (List<String> row : readCsv(Path.of(path.replaceAll("\\.csv$", ".schema.csv"))))
            schema.put(row.get(0), row);
        List<Node> variables = new ArrayList<>();
        for (String name : names) {
            List<String> s = schema.get(name);
            variables.add(s.get(1).equals("continuous") ? new ContinuousVariable(name)
                                                        : new DiscreteVariable(name, split(s.get(3))));
        }
        DataSet data = new BoxDataSet(new MixedDataBox(variables, rows.size() - 1), variables);
        for (int i = 1; i < rows.size(); i++) {
            for (int j = 0; j < names.size(); j++) {
                if (variables.get(j) instanceof DiscreteVariable v)
                    data.setInt(i - 1, j, v.getIndex(rows.get(i).get(j)));
                else
                    data.setDouble(i - 1, j, Double.parseDouble(rows.get(i).get(j)));
            }
        }
        return data;
    }

    static Object valueOf(String text) {
        if (text.equals("true") || text.equals("false"))
            return Boolean.valueOf(text);
        try {
            return text.matches("-?[0-9]+") ? (Object) Integer.valueOf(text) : (Object) Double.valueOf(text);
        } catch (NumberFormatException e) {
            return text;
        }
    }

    // A parameter of Tetrad's, in the type of its default.
    static void set(Parameters parameters, String name, String text) {
        if (!ParamDescriptions.getInstance().getNames().contains(name))
            throw refuse("Tetrad has no parameter '" + name + "'");
        Object usual = ParamDescriptions.getInstance().get(name).getDefaultValue(), value = valueOf(text);
        if (usual instanceof Double && value instanceof Integer i)
            value = i.doubleValue();
        parameters.set(name, value);
    }

    // GSquare of Tetrad 7.6.3 and 7.6.6 reads its level from a parameter "test", which is 0 where nobody sets it.
    static void setLevelOfGSquare(Parameters parameters) {
        parameters.set("test", parameters.getDouble("alpha"));
    }

    static String quote(String name) {
        return name.matches("[^,\"\\n]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    static void writeGraph(String path, Graph graph) throws IOException {
        try (PrintWriter out = new PrintWriter(path, StandardCharsets.UTF_8)) {
            out.print("# kind: cpdag\nfrom,to,type\n");
            for (Edge e : graph.getEdges()) {
                boolean turned = e.isDirected() && e.getEndpoint1() == Endpoint.ARROW;
                Node from = turned ? e.getNode2() : e.getNode1(), to = turned ? e.getNode1() : e.getNode2();
                out.printf("%s,%s,%s\n", quote(from.getName()), quote(to.getName()),
                        e.isDirected() ? "directed" : "undirected");
            }
        }
    }

    static double cpuSeconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime() / 1e9;
    }

    // "tetrad-lib 7.6.6", after the jar that is in use.
    static String version() {
        for (String jar : System.getProperty("java.class.path").split(File.pathSeparator)) {
            String base = Path.of(jar).getFileName() == null ? "" : Path.of(jar).getFileName().toString();
            if (base.startsWith("tetrad-"))
                return base.replaceAll("\\.jar$", "").replaceFirst("-(?=[0-9])", " ");
        }
        return "tetrad";
    }

    public static void main(String[] words) throws Exception {
        if (words.length < 3)
            throw refuse("the words are DATA GRAPH ALGORITHM [NAME=VALUE ...]");
        DataSet data = readData(words[0]);
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 3; i < words.length; i++) {
            if (!words[i].contains("="))
                throw refuse("an option is NAME=VALUE, not '" + words[i] + "'");
            options.put(words[i].substring(0, words[i].indexOf('=')), words[i].substring(words[i].indexOf('=') + 1));
        }
        String score = options.remove("score"), test = options.remove("test");
        Algorithm algorithm = (Algorithm) make("algorithm.oracle.cpdag", words[2]);
        if (algorithm instanceof UsesScoreWrapper a)
            a.setScoreWrapper((ScoreWrapper) make("score",
                    score != null ? score : data.isDiscrete() ? "BdeuScore" : data.isContinuous() ? "SemBicScore"
                                                                           : "ConditionalGaussianBicScore"));
        else if (score != null)
            throw refuse(words[2] + " takes no score");
        if (algorithm instanceof TakesIndependenceWrapper a)
            a.setIndependenceWrapper((IndependenceWrapper) make("independence",
                    test != null ? test : data.isDiscrete() ? "GSquare" : data.isContinuous() ? "FisherZ"
                                                                       : "ConditionalGaussianLRT"));
        else if (test != null)
            throw refuse(words[2] + " takes no test");
        Parameters parameters = new Parameters();
        options.forEach((name, value) -> set(parameters, name, value));
        setLevelOfGSquare(parameters);
        double start = cpuSeconds();
        Graph graph = algorithm.search(data, parameters);
        double seconds = cpuSeconds() - start;
        writeGraph(words[1], graph);
        String facts = System.getenv("BNBENCH_FACTS");
        if (facts != null)
            Files.writeString(Path.of(facts), String.format(Locale.ROOT,
                    "{\"learning_seconds\": %.6f, \"version\": \"%s, Java %s\"}\n", seconds, version(),
                    System.getProperty("java.version")));
        System.exit(0); // whatever threads Tetrad keeps
    }
}
