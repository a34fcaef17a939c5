/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The real data of Fu 2005, Table V-10, by that table's names, and some more: which columns, how many distinct values,
 * where they are to be had. The figures agree with Table V-10 but where a note says otherwise.
 */
#include "generators/catalogue/dataset_catalogue.h"

#include "core/base/text.h"

#include <string.h>

#define STATES(name, field, n)                                                                                         \
    { name, field, n, true }
#define REAL(name, field, n)                                                                                           \
    { name, field, n, false }
#define COLUMNS(list) .n_columns = sizeof(list) / sizeof *(list), .columns = (list)

/* A file of a public repository, as it was at one commit. */
#define ADDRESS(repository, commit, path) "https://raw.githubusercontent.com/" repository "/" commit "/" path
#define DATASETS(path) ADDRESS("jbrownlee/Datasets", "d20fcb6402ae34e653d4513b00f39257bb37ed7f", path)
#define ARFF_DATASETS(path) ADDRESS("renatopp/arff-datasets", "c59f172882592bb58982cc54d2d3c8a2b57e9b73", path)

static const dataset_column abalone[] = {
    STATES("Sex", 0, 3),
    REAL("Length", 1, 134),
    REAL("Diameter", 2, 111),
    REAL("Height", 3, 51),
    REAL("Whole_weight", 4, 2429),
    REAL("Shucked_weight", 5, 1515),
    REAL("Viscera_weight", 6, 880),
    REAL("Shell_weight", 7, 926),
    REAL("Rings", 8, 28),
};

static const dataset_column australian[] = {
    STATES("A1", 0, 2),   REAL("A2", 1, 350),   REAL("A3", 2, 215),   STATES("A4", 3, 3),   STATES("A5", 4, 14),
    STATES("A6", 5, 8),   REAL("A7", 6, 132),   STATES("A8", 7, 2),   STATES("A9", 8, 2),   REAL("A10", 9, 23),
    STATES("A11", 10, 2), STATES("A12", 11, 3), REAL("A13", 12, 171), REAL("A14", 13, 240), STATES("Class", 14, 2),
};

static const dataset_column breast[] = {
    REAL("Clump_thickness", 1, 10), REAL("Cell_size", 2, 10),       REAL("Cell_shape", 3, 10),
    REAL("Adhesion", 4, 10),        REAL("Epithelial_size", 5, 10), REAL("Bare_nuclei", 6, 10),
    REAL("Bland_chromatin", 7, 10), REAL("Normal_nucleoli", 8, 10), REAL("Mitoses", 9, 9),
    STATES("Class", 10, 2),
};

static const dataset_column cars1[] = {
    REAL("mpg", 7, 127),    REAL("cylinders", 0, 5),     REAL("displacement", 1, 81), REAL("horsepower", 2, 93),
    REAL("weight", 3, 346), REAL("acceleration", 4, 95), REAL("model_year", 5, 13),   STATES("origin", 6, 3),
};

static const dataset_column cleve[] = {
    REAL("age", 0, 41),    STATES("sex", 1, 2),    STATES("cp", 2, 4),      REAL("trestbps", 3, 49),
    REAL("chol", 4, 152),  STATES("fbs", 5, 2),    STATES("restecg", 6, 3), REAL("thalach", 7, 91),
    STATES("exang", 8, 2), REAL("oldpeak", 9, 40), STATES("slope", 10, 3),  REAL("ca", 11, 4),
    STATES("thal", 12, 3), STATES("num", 13, 2),
};

static const dataset_column cleveland[] = {
    REAL("age", 0, 41),    STATES("sex", 1, 2),    STATES("cp", 2, 4),      REAL("trestbps", 3, 50),
    REAL("chol", 4, 152),  STATES("fbs", 5, 2),    STATES("restecg", 6, 3), REAL("thalach", 7, 91),
    STATES("exang", 8, 2), REAL("oldpeak", 9, 40), STATES("slope", 10, 3),  REAL("ca", 11, 4),
    STATES("thal", 12, 3), STATES("num", 13, 5),
};

static const dataset_column heart[] = {
    REAL("age", 0, 41),        STATES("sex", 1, 2),           STATES("chest_pain", 2, 4), REAL("rest_bp", 3, 47),
    REAL("chol", 4, 144),      STATES("fasting_sugar", 5, 2), STATES("rest_ecg", 6, 3),   REAL("max_hr", 7, 90),
    STATES("ex_angina", 8, 2), REAL("oldpeak", 9, 39),        STATES("slope", 10, 3),     STATES("vessels", 11, 4),
    STATES("thal", 12, 3),     STATES("class", 13, 2),
};

static const dataset_column housing[] = {
    REAL("CRIM", 0, 504),    REAL("ZN", 1, 26),   REAL("INDUS", 2, 76),   STATES("CHAS", 3, 2),  REAL("NOX", 4, 81),
    REAL("RM", 5, 446),      REAL("AGE", 6, 356), REAL("DIS", 7, 412),    REAL("RAD", 8, 9),     REAL("TAX", 9, 66),
    REAL("PTRATIO", 10, 46), REAL("B", 11, 357),  REAL("LSTAT", 12, 455), REAL("MEDV", 13, 229),
};

static const dataset_column pima[] = {
    REAL("pregnancies", 0, 17),    REAL("glucose", 1, 136), REAL("blood_pressure", 2, 47),
    REAL("skin_thickness", 3, 51), REAL("insulin", 4, 186), REAL("bmi", 5, 248),
    REAL("pedigree", 6, 517),      REAL("age", 7, 52),      STATES("class", 8, 2),
};

static const dataset_column vehicle[] = {
    REAL("compactness", 0, 44),
    REAL("circularity", 1, 27),
    REAL("distance_circularity", 2, 63),
    REAL("radius_ratio", 3, 134),
    REAL("pr_axis_aspect_ratio", 4, 37),
    REAL("max_length_aspect_ratio", 5, 21),
    REAL("scatter_ratio", 6, 131),
    REAL("elongatedness", 7, 35),
    REAL("pr_axis_rectangularity", 8, 13),
    REAL("max_length_rectangularity", 9, 66),
    REAL("scaled_variance_major", 10, 128),
    REAL("scaled_variance_minor", 11, 424),
    REAL("scaled_radius_of_gyration", 12, 143),
    REAL("skewness_about_major", 13, 39),
    REAL("skewness_about_minor", 14, 23),
    REAL("kurtosis_about_major", 15, 41),
    REAL("kurtosis_about_minor", 16, 30),
    REAL("hollows_ratio", 17, 31),
    STATES("class", 18, 4),
};

static const dataset_column sachs[] = {
    REAL("Akt", 0, 280), REAL("Erk", 1, 331),  REAL("Jnk", 2, 366),  REAL("Mek", 3, 253),
    REAL("P38", 4, 249), REAL("PIP2", 5, 367), REAL("PIP3", 6, 323), REAL("PKA", 7, 276),
    REAL("PKC", 8, 326), REAL("Plcg", 9, 269), REAL("Raf", 10, 275),
};

static const dataset_entry entries[] = {
    {.name = "abalone",
     .summary = "age of abalone from measurements of the shell",
     COLUMNS(abalone),
     .facts = {.rows = 4175},
     .url = DATASETS("abalone.csv"),
     .form = SOURCE_FORM_CSV,
     .n_fields = 9,
     .n_left_out = 2,
     .csv_sha256 = "dbffd56732a5680230e222285e0f26d8c56ed68e0c0ceebc05ca2dc99a77de4a",
     .licence = "none stated in the repository",
     .citation = "Nash, Sellers, Talbot, Cawthorn and Ford 1994, The population biology of abalone in "
                 "Tasmania I, Sea Fisheries Division, Technical Report 48",
     .note = "the first two of 4177 rows are left out: Table V-10 has 4175 rows, and which two it "
             "lacks is not known"},
    {.name = "australian",
     .summary = "Statlog: Australian credit approval",
     COLUMNS(australian),
     .facts = {.rows = 690},
     .url = ADDRESS("rajdeep-cse17/Class_Imbalance", "5ef9e2bc47419dd7b20d0a9f6bb1c665dfebd3a4", "data/australian.dat"),
     .form = SOURCE_FORM_WORDS,
     .n_fields = 15,
     .header_end = "class",
     .csv_sha256 = "dd9d7146ea6e48faa03f219af54b3c819bfd51bca84f838e1d7e65c391692813",
     .licence = "none stated in the repository",
     .citation = "Quinlan 1987, Simplifying decision trees, Int. J. Man-Machine Studies 27, 221-234"},
    {.name = "breast",
     .summary = "Wisconsin breast cancer (original)",
     COLUMNS(breast),
     .facts = {.rows = 683},
     .url = DATASETS("breast-cancer-wisconsin.data"),
     .form = SOURCE_FORM_CSV,
     .n_fields = 11,
     .csv_sha256 = "866d9a5bb37af29d3b37d47b6585e1c60c06a28b5dc05296131778dab188bc64",
     .licence = "none stated in the repository",
     .citation = "Wolberg and Mangasarian 1990, Multisurface method of pattern separation for medical "
                 "diagnosis applied to breast cytology, Proc. Natl. Acad. Sci. 87, 9193-9196",
     .note = "16 of 699 rows with a missing value and the sample code number are left out; Table V-10 "
             "counts 10 continuous columns, its mean is that of 9"},
    {.name = "cars1",
     .summary = "fuel consumption of cars (auto-mpg)",
     COLUMNS(cars1),
     .facts = {.rows = 392},
     .url = ARFF_DATASETS("regression/autompg.arff"),
     .form = SOURCE_FORM_ARFF,
     .n_fields = 8,
     .csv_sha256 = "21da61b5bb09f027fe6a73f50a6bb6bcc00dcb1ac3dfffd2e3920492941bceeb",
     .licence = "none stated in the repository",
     .citation = "Quinlan 1993, Combining instance-based and model-based learning, ICML 93, 236-243",
     .note = "6 of 398 rows without horsepower are left out, and the car's name; the distinct values "
             "of Table V-10 are those of the columns but cylinders"},
    {.name = "cleve",
     .summary = "heart disease in Cleveland, symbols and numbers, two classes",
     COLUMNS(cleve),
     .facts = {.rows = 296},
     .url = ADDRESS("vipull2010/heart-disease-xai", "6a36dced3571af2daff4c7f4f944fe591ba83b19", "cleve.mod"),
     .form = SOURCE_FORM_WORDS,
     .n_fields = 15,
     .csv_sha256 = "3c7d839c5779d60241763ae09f9718b33b96dcd1f5c8b9eb672a14a034a4597d",
     .licence = "none stated; the UCI repository asks that publications name the principal investigator "
                "(R. Detrano)",
     .citation = "Detrano, Janosi, Steinbrunn, Pfisterer, Schmid, Sandhu, Guppy, Lee and Froelicher 1989, "
                 "International application of a new probability algorithm for the diagnosis of coronary "
                 "artery disease, American J. Cardiology 64, 304-310",
     .note = "7 of 303 rows with a missing value are left out; the distinct values of Table V-10 are "
             "those of the columns but ca, and trestbps has 49 values, not 50, hence a mean of 74.60 "
             "against 74.80"},
    {.name = "cleveland",
     .summary = "heart disease in Cleveland, numbers, five classes",
     COLUMNS(cleveland),
     .facts = {.rows = 297},
     .url = ARFF_DATASETS("regression/cleveland.arff"),
     .form = SOURCE_FORM_ARFF,
     .n_fields = 14,
     .csv_sha256 = "ef8ccfd12dc0452be986661988f1578ed5ca1dba2f6c715afd56b44cd8ba0edf",
     .licence = "none stated; the UCI repository asks that publications name the principal investigator "
                "(R. Detrano)",
     .citation = "Detrano, Janosi, Steinbrunn, Pfisterer, Schmid, Sandhu, Guppy, Lee and Froelicher 1989, "
                 "International application of a new probability algorithm for the diagnosis of coronary "
                 "artery disease, American J. Cardiology 64, 304-310",
     .note = "6 of 303 rows with a missing value are left out; a row more than cleve, and without ca "
             "the distinct values of Table V-10"},
    {.name = "heart",
     .summary = "Statlog: heart disease",
     COLUMNS(heart),
     .facts = {.rows = 270},
     .url = ARFF_DATASETS("classification/heart.statlog.arff"),
     .form = SOURCE_FORM_ARFF,
     .n_fields = 14,
     .csv_sha256 = "83dafa1f47c749714a13626f4ab84d2f537da958bb6ddedee781d88885b42ce3",
     .licence = "none stated in the repository",
     .citation = "Michie, Spiegelhalter and Taylor 1994, Machine Learning, Neural and Statistical "
                 "Classification, section 9.3"},
    {.name = "housing",
     .summary = "prices of houses in Boston",
     COLUMNS(housing),
     .facts = {.rows = 506},
     .url = DATASETS("housing.data"),
     .form = SOURCE_FORM_WORDS,
     .n_fields = 14,
     .csv_sha256 = "ebf8b4a9ceaf375f9591be7b862b3eafc6efc952251e77f09dd6c2df9e216ba0",
     .licence = "none stated in the repository",
     .citation = "Harrison and Rubinfeld 1978, Hedonic prices and the demand for clean air, J. "
                 "Environmental Economics and Management 5, 81-102"},
    {.name = "pima",
     .summary = "diabetes among the Pima",
     COLUMNS(pima),
     .facts = {.rows = 768},
     .url = DATASETS("pima-indians-diabetes.csv"),
     .form = SOURCE_FORM_CSV,
     .n_fields = 9,
     .csv_sha256 = "106308938972a63b288414947915414187f95fc8e286980ad70da7ef9fa6f14e",
     .licence = "none stated in the repository",
     .citation = "Smith, Everhart, Dickson, Knowler and Johannes 1988, Using the ADAP learning algorithm "
                 "to forecast the onset of diabetes mellitus, Symp. Computer Applications in Medical Care, "
                 "261-265",
     .note = "zeros that stand for missing values are kept"},
    {.name = "vehicle",
     .summary = "Statlog: silhouettes of vehicles",
     COLUMNS(vehicle),
     .facts = {.rows = 846},
     .url = ARFF_DATASETS("classification/vehicle.arff"),
     .form = SOURCE_FORM_ARFF,
     .n_fields = 19,
     .csv_sha256 = "c0ae142c409e3ffcea053e6f9bca5bd1f73e6fd7641c7d6422841cd44e08108c",
     .licence = "none stated in the repository",
     .citation = "Siebert 1987, Vehicle recognition using rule based methods, Turing Institute Research "
                 "Memorandum TIRM-87-018"},
    {.name = "sachs_observational",
     .summary = "proteins of a signalling pathway in single cells, stimulated with anti-CD3/CD28 alone",
     COLUMNS(sachs),
     .facts = {.rows = 853},
     .url = ADDRESS("felixleopoldo/benchpress", "516ffc1817c98e0e83ae24f8113dff76fc86f95c",
                    "resources/data/mydatasets/2005_sachs/1_cd3cd28_n854.csv"),
     .form = SOURCE_FORM_NAMED_CSV,
     .n_fields = 11,
     .csv_sha256 = "97f0d8aca4419c539b10b7ce196b76cf2cbdce545b50ca322bcee446ef37ab77",
     .licence = "GPL-2.0 (the repository)",
     .citation = "Sachs, Perez, Pe'er, Lauffenburger and Nolan 2005, Causal protein-signaling networks "
                 "derived from multiparameter single-cell data, Science 308, 523-529",
     .note = "raw concentrations; usually analysed as logarithms"},
    {.name = "hartemink-yeast",
     .summary = "expression of genes of the pheromone response of yeast",
     .facts = {.rows = 320, .continuous = 32, .distinct_min = 301, .distinct_max = 317, .distinct_mean = 314.03},
     .citation = "Hartemink, Gifford, Jaakkola and Young 2002, Bayesian methods for elucidating genetic "
                 "regulatory networks, IEEE Intelligent Systems 17(2), 37-43",
     .note = "the figures are those of Table V-10"},
    {.name = "tchourine-yeast",
     .summary = "expression of the genes of yeast in many studies, for learners on thousands of columns",
     .facts = {.rows = 2577, .continuous = 5716},
     .page = "https://zenodo.org/record/3355524",
     .citation = "Tchourine, Vogel and Bonneau 2018, Cell Reports 23, 376-388 (PMC5987223)",
     .note =
         "measured on by Srivastava, Chockalingam and Aluru (ramBLe), who call the file "
         "yeast_microarray_expression.tsv, genes as rows, and discretized it as Friedman et al. 2000 did; the record "
         "has the archive inferelator_example_data.tar.gz, as the guide of the software Inferelator says"},
    {.name = "arabidopsis-development",
     .summary = "expression of the genes of Arabidopsis in studies of its development, for learners on thousands of "
                "columns",
     .facts = {.rows = 5102, .continuous = 18373},
     .page = "https://zenodo.org/record/4672797",
     .citation = "Srivastava, Chockalingam and Aluru: the software ramBLe, its guide to experiments",
     .note = "discretized there as Friedman et al. 2000 did; the guide of ParsiMoNe, of the same authors, calls the "
             "file athaliana_development_exp.tsv"},
};

size_t dataset_catalogue_count(void) {
    return sizeof entries / sizeof *entries;
}

const dataset_entry *dataset_catalogue_at(size_t i) {
    return &entries[i];
}

const dataset_entry *dataset_catalogue_find(const char *name) {
    for (size_t i = 0; i < dataset_catalogue_count(); i++) {
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    }
    return NULL;
}

const char *dataset_catalogue_nearest(const char *name) {
    const char *names[sizeof entries / sizeof *entries];
    for (size_t i = 0; i < dataset_catalogue_count(); i++)
        names[i] = entries[i].name;
    return text_nearest(name, names, dataset_catalogue_count());
}

dataset_facts dataset_entry_facts(const dataset_entry *entry) {
    dataset_facts f = {.rows = entry->facts.rows};
    if (!entry->columns)
        return entry->facts;
    for (size_t c = 0; c < entry->n_columns; c++) {
        if (entry->columns[c].is_discrete)
            f.discrete++;
        else
            dataset_facts_add(&f, entry->columns[c].n_distinct);
    }
    return f;
}

static status check_column(const dataset_entry *entry, const dataset *data, size_t c, error_info *err) {
    const dataset_column *wanted = &entry->columns[c];
    const variable *v = dataset_variable(data, c);
    size_t n = 0;
    if (strcmp(v->name, wanted->name) != 0)
        return error_set(err, STATUS_INVALID, "these are not the data '%s': column %zu is '%.100s', not '%s'",
                         entry->name, c + 1, v->name, wanted->name);
    if ((v->kind == VARIABLE_DISCRETE) != wanted->is_discrete)
        return error_set(err, STATUS_INVALID, "these are not the data '%s': '%s' is %s", entry->name, v->name,
                         wanted->is_discrete ? "continuous" : "discrete");
    CHECK(dataset_count_distinct(data, c, &n, err));
    if (n != wanted->n_distinct)
        return error_set(err, STATUS_INVALID, "these are not the data '%s': '%s' has %zu distinct values, not %zu",
                         entry->name, v->name, n, wanted->n_distinct);
    return STATUS_OK;
}

status dataset_entry_check(const dataset_entry *entry, const dataset *data, error_info *err) {
    size_t n_rows = dataset_row_count(data), n_columns = dataset_column_count(data);
    if (n_rows != entry->facts.rows || n_columns != entry->n_columns)
        return error_set(err, STATUS_INVALID,
                         "these are not the data '%s': they have %zu rows of %zu columns, not %zu of %zu", entry->name,
                         n_rows, n_columns, entry->facts.rows, entry->n_columns);
    for (size_t c = 0; c < n_columns; c++)
        CHECK(check_column(entry, data, c, err));
    return STATUS_OK;
}
